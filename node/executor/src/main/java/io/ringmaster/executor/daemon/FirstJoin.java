package io.ringmaster.executor.daemon;

/** Whether the node may lack rows because it joined without bootstrap, as far as the executor knows. */
public enum FirstJoin {
    /** Nothing is known, or the node lacks no rows. */
    NONE,
    /** Cassandra stored that the node joined before the cluster counted as created: there were no rows to stream. */
    BEFORE_CREATION,
    /**
     * The daemon was killed so that the next one bootstraps. If that one reports at its start that the node has joined,
     * Cassandra stored the join just before the kill.
     */
    BOOTSTRAP_EXPECTED,
    /** The node joined without bootstrap after clients may have written. */
    UNSTREAMED
}
