package io.ringmaster.model.request;

/** What an operation needs for itself while it runs: which others of the same cluster must not run beside it. */
public enum LockScope {
    /** Mends a node that others wait for: goes before them and before a spec, and runs one at a time. */
    MEND,
    /** Takes nodes down, or changes who owns what: nothing else may run. */
    RING,
    /** Compares and streams between replicas: no other of its kind, and nothing that takes nodes down. */
    REPAIR,
    /** Keeps the chosen nodes busy: nothing that takes nodes down, and nothing else on the same nodes. */
    NODES
}
