package io.ringmaster.simulator;

/** Something happened that must never happen. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String invariant;

    Violation(String invariant, String what) {
        super(invariant + ": " + what);
        this.invariant = invariant;
    }

    String invariant() {
        return invariant;
    }
}
