package io.ringmaster.model.node;

/** The talk's six start-up stages (slide 20), each timed. */
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

    /** The word on screens. */
    public String label() {
        return label;
    }
}
