package io.ringmaster.model.node;

/**
 * The operation modes of Cassandra, and DOWN and LAUNCHED, which Cassandra cannot report because it does not
 * answer.
 */
public enum OperatingMode {
    /** No daemon runs. */
    DOWN,
    /** The process runs, and the companion does not answer yet. */
    LAUNCHED,
    STARTING,
    JOINING,
    NORMAL,
    LEAVING,
    DECOMMISSIONED,
    /** The decommission failed while streaming: the other nodes still expect the node to leave, and it serves on. */
    DECOMMISSION_FAILED,
    MOVING,
    DRAINING,
    DRAINED,
    UNKNOWN;

    /** {@code JOINING: streaming its ranges}; the mode alone while no activity is known. */
    public String with(String activity) {
        return activity.isBlank() ? name() : this + ": " + activity;
    }

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
