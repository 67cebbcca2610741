package io.ringmaster.engine.operate;

import io.ringmaster.engine.store.TableStore;

/** A table in RocksDB, as an operator sees it. */
public interface OperatedTable {
    TableStore store();

    /** Folds and purges everything now. */
    void compact();
}
