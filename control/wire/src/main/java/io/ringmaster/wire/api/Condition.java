package io.ringmaster.wire.api;

/** A cluster's state in one word; the first that applies. */
public enum Condition {
    /** A delete was asked for. */
    DELETING,
    /** A plan failed: it waits for a person. */
    FAILED,
    /** Not all nodes were NORMAL together yet. */
    CREATING,
    /** A plan is at work, or waits for its turn. */
    CHANGING,
    /** No plan is at work, and a node that should be NORMAL is not, or a datacenter does not answer. */
    DEGRADED,
    HEALTHY
}
