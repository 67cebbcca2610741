package io.ringmaster.model.request;

/** What an operation locks while it runs: the other operations of the same cluster that must not run meanwhile. */
public enum LockScope {
    /** Fixes a node that other operations wait for: it precedes them and a spec, and runs one at a time. */
    MEND,
    /** Takes nodes down, or changes the ownership of ranges: no other operation may run. */
    RING,
    /** Compares and streams between replicas: excludes other repairs and everything that takes nodes down. */
    REPAIR,
    /** Loads the selected nodes: excludes everything that takes nodes down, and other operations on the same nodes. */
    NODES,
    /**
     * Reads the data of all nodes: waits for everything but repairs, and only other backups wait for it. Runs in all
     * datacenters at once.
     */
    BACKUP
}
