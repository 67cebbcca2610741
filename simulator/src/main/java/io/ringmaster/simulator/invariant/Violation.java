package io.ringmaster.simulator.invariant;

/** An invariant is broken. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String invariant;

    public Violation(String invariant, String what) {
        super(invariant + ": " + what);
        this.invariant = invariant;
    }

    /** The name of the invariant, such as {@code budget}. */
    public String invariant() {
        return invariant;
    }
}
