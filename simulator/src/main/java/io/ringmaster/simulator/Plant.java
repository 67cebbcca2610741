package io.ringmaster.simulator;

/** A bug planted on purpose, to see that the simulator would find it. */
public enum Plant {
    NONE,
    /** As if there were no gate before the next node: a node counts as done, and the ring as whole, once it was told its target. */
    GATE_REMOVED,
    /** What is committed reaches the store only with the commit after it, so commands run ahead of the records. */
    PERSIST_AFTER_ACT
}
