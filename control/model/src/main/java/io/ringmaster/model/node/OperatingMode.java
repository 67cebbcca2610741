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
    /** A stream of its bootstrap failed: Cassandra serves nobody, and waits for somebody to resume it. */
    JOINING_FAILED,
    NORMAL,
    LEAVING,
    DECOMMISSIONED,
    /** The decommission failed while streaming: the other nodes still expect the node to leave, and it serves on. */
    DECOMMISSION_FAILED,
    MOVING,
    DRAINING,
    DRAINED,
    UNKNOWN;

    /**
     * Whether Cassandra stays in this mode until somebody acts, and serves nobody meanwhile: its executor starts it
     * again. A decommission that failed is not one, because that node serves on; DRAINED and DECOMMISSIONED are what
     * somebody asked for; the other modes go on, or end with the process.
     */
    public boolean isStuck() {
        return this == JOINING_FAILED;
    }

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
