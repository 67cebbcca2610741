package io.ringmaster.engine.operate;

import io.ringmaster.engine.store.TableStore;
import java.nio.file.Path;

/** A table in RocksDB, as an operator sees it. */
public interface OperatedTable {
    TableStore store();

    /** Folds and purges everything now. */
    void compact();

    /**
     * Adds what a snapshot of it holds. Answers how many records that was.
     *
     * @throws IllegalArgumentException the directory holds no snapshot of the table
     * @throws IllegalStateException it has indexes or views, which would not show what is added
     */
    long restore(Path directory);
}
