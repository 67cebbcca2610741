package io.ringmaster.simulator;

/** A bug planted on purpose, to see that the simulator would find it. */
public enum Plant {
    NONE,
    /** No step asks whether the other nodes are well before it takes its own down. */
    GATE_REMOVED,
    /** What is committed reaches the store only with the commit after it, so commands run ahead of the records. */
    PERSIST_AFTER_ACT
}
