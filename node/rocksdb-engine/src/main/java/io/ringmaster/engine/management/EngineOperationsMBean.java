package io.ringmaster.engine.management;

import java.util.Map;

/** The MBean {@value #NAME}. The companion's management calls it too. */
public interface EngineOperationsMBean {
    String NAME = "io.ringmaster.engine:type=Operations";

    /**
     * Sizes of each table, by {@code keyspace.table}: {@code files_bytes} on disk; {@code live_bytes}, the part that
     * reads still need (an estimate); {@code memory_bytes} in write buffers; {@code records} (an estimate): rows, and
     * partitions with deletions or static columns. Tombstones of {@code purge_limit_timestamp} (microseconds) or later
     * stay, because older data is in sstables or was written late; {@link Long#MAX_VALUE} if there is no limit.
     */
    Map<String, Map<String, Long>> getTables();

    /**
     * Figures of the whole node, such as {@code block_cache_bytes}, {@code pending_compaction_bytes} and
     * {@code is_write_stopped} (0 or 1).
     */
    Map<String, Long> getNode();

    /**
     * Merges, purges and rewrites all data of a table, and returns when that is done.
     *
     * @throws IllegalArgumentException the table is not in RocksDB
     */
    void compact(String keyspace, String table);

    /**
     * Adds the content of a snapshot to its table, at {@code compaction_throughput}. It becomes visible just before
     * this returns. Writes and deletions after the snapshot win; truncate the table first to get the snapshot alone.
     *
     * @param directory {@code snapshots/<name>/rocksdb} in the directory of the table, or of a dropped table of its
     *     name
     * @return the number of records without those of sstables: rows, and partitions with deletions or static columns
     * @throws IllegalArgumentException the table is not in RocksDB, or the directory holds no snapshot of it
     * @throws IllegalStateException the table has indexes or views, which a restore does not update
     */
    long restore(String keyspace, String table, String directory);

    /**
     * Deletes the data of tokens that this node does not own.
     *
     * @throws IllegalArgumentException the table is not in RocksDB
     * @throws IllegalStateException a node is joining, leaving or moving, or this node owns no range of the keyspace
     */
    void cleanup(String keyspace, String table);

    /**
     * Reads all files of all tables and verifies their checksums.
     *
     * @throws IllegalStateException a checksum does not match
     */
    void verify();
}
