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
