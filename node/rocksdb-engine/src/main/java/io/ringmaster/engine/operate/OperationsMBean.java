package io.ringmaster.engine.operate;

import java.util.Map;

/** {@value #NAME}, as JMX and the companion's management call it. */
public interface OperationsMBean {
    String NAME = "io.ringmaster.engine:type=Operations";

    /**
     * For each table, by {@code keyspace.table}: {@code files_bytes} on disk, {@code live_bytes} of them still needed (an estimate),
     * {@code memory_bytes} in write buffers, and {@code records} (an estimate: rows, and partitions with deletions or static columns).
     */
    Map<String, Map<String, Long>> getTables();

    /** For the whole node: {@code block_cache_bytes}, {@code pending_compaction_bytes}, {@code is_write_stopped} as 0 or 1, and more. */
    Map<String, Long> getNode();

    /**
     * Folds, purges and rewrites all data of a table; returns when that is done.
     *
     * @throws IllegalArgumentException the table does not lie in RocksDB
     */
    void compact(String keyspace, String table);

    /**
     * Adds what a snapshot holds to its table, at {@code compaction_throughput}; all of it is visible at once when this returns. What was written or deleted
     * since the snapshot wins; truncate the table first to have only what the snapshot holds.
     *
     * @param directory {@code snapshots/<name>/rocksdb} in the directory of the table, or of one of the same name that was dropped
     * @return how many records: rows, and partitions with deletions or static columns
     * @throws IllegalArgumentException the table does not lie in RocksDB, or the directory holds no snapshot of it
     * @throws IllegalStateException the table has indexes or views, which would not show what is added
     */
    long restore(String keyspace, String table, String directory);

    /**
     * Deletes the data of tokens that this node does not own.
     *
     * @throws IllegalArgumentException the table does not lie in RocksDB
     * @throws IllegalStateException the node is joining, leaving or moving
     */
    void cleanup(String keyspace, String table);

    /**
     * Reads all files of all tables and checks their checksums.
     *
     * @throws IllegalStateException with what is wrong
     */
    void verify();
}
