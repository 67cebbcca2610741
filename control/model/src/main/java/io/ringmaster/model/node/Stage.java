package io.ringmaster.model.node;

/** The start-up stages of a node, each timed. */
public enum Stage {
    OFFER("offer"),
    LAUNCH("launch"),
    BINARIES("binaries"),
    EXECUTOR("executor"),
    DAEMON("daemon"),
    JOINED("joined");

    private final String label;

    Stage(String label) {
        this.label = label;
    }

    /** The name on screens. */
    public String label() {
        return label;
    }
}
