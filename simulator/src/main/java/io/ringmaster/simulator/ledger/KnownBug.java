package io.ringmaster.simulator.ledger;

/** A way to lose copies of rows that is known and not fixed. Runs play or judge it only if asked. */
public enum KnownBug {
    /**
     * A node is replaced while the other datacenter, cut off, keeps hints for it. The replacement streams from replicas
     * that have not received their hints yet. Those for the replaced node are dropped, and nothing repairs.
     */
    REPLACEMENT_NOT_REPAIRED,
    /**
     * A node leaves while the other datacenter, cut off, keeps hints for it. It hands over its ranges without those
     * rows. The hints are dropped, and nothing repairs.
     */
    LEFT_WITH_HINTS
}
