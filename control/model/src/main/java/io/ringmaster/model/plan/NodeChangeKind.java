package io.ringmaster.model.plan;

/** How a new version of the spec reaches one node. */
public enum NodeChangeKind {
    /** The node has never been launched. */
    START,
    /** The running daemon takes the change, or nothing changes for it. */
    LIVE,
    RESTART,
    /** The executor does not answer: LIVE if the daemon runs and takes every change, otherwise RESTART. */
    UNKNOWN
}
