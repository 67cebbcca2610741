package io.ringmaster.simulator.ledger;

/** A write that a coordinator keeps for a replica that it could not reach. */
record Hint(Replica target, Row row, Cell cell) {
    /** The default of {@code max_hint_window}: a replica that is down for longer gets no further hints. */
    static final long WINDOW_MILLIS = 10_800_000;
}
