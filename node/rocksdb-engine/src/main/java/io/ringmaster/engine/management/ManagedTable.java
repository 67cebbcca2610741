package io.ringmaster.engine.management;

import io.ringmaster.engine.store.TableStore;
import java.nio.file.Path;

/** The operations of one table in RocksDB. */
public interface ManagedTable {
    TableStore store();

    /** Tombstones with this timestamp or a later one are kept, whatever their age. In microseconds. */
    long purgeLimit();

    /** Merges, purges and rewrites all data, and returns when that is done. */
    void compact();

    /**
     * Adds the content of a snapshot to the table.
     *
     * @return the number of records: rows, and partition headers
     * @throws IllegalArgumentException the directory holds no snapshot of the table
     * @throws IllegalStateException the table has indexes or views, which a restore does not update
     */
    long restore(Path directory);
}
