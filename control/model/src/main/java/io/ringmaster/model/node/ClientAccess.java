package io.ringmaster.model.node;

/** Whether a node accepts clients by the native protocol. */
public enum ClientAccess {
    OPEN,
    /** Started closed, because its cluster was not created yet, and never opened since. */
    AWAITS_CREATION,
    /** Closed by hand or by its spec, or not open yet. */
    CLOSED
}
