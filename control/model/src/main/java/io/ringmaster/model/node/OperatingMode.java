package io.ringmaster.model.node;

/** Cassandra's own operation modes, and the two that it cannot report because it does not run. */
public enum OperatingMode {
    /** No daemon runs. */
    DOWN,
    /** Process there, companion not answering yet. */
    LAUNCHED,
    STARTING,
    JOINING,
    NORMAL,
    LEAVING,
    DECOMMISSIONED,
    /** It streamed in vain: others count on it to leave, and it serves on. */
    DECOMMISSION_FAILED,
    MOVING,
    DRAINING,
    DRAINED,
    UNKNOWN;

    /** An unlisted mode of a newer Cassandra is UNKNOWN rather than an error. */
    public static OperatingMode of(String text) {
        for (OperatingMode mode : values()) {
            if (mode.name().equalsIgnoreCase(text)) {
                return mode;
            }
        }
        return UNKNOWN;
    }
}
