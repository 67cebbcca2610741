package io.ringmaster.wire.api;

/** A cluster's state in one word: the first value of this enum that applies. */
public enum Condition {
    /** A delete was requested. */
    DELETING,
    /** A plan failed and waits for a decision of the user. */
    FAILED,
    /** The nodes were never all NORMAL at the same time. */
    CREATING,
    /** A plan is running or waits for the operation lock. */
    CHANGING,
    /** No plan is running, and a node that should be NORMAL is not, or a datacenter does not answer. */
    DEGRADED,
    HEALTHY
}
