package io.ringmaster.lab.load;

/** Consistency levels, by the names that Cassandra, metronome and cassandra-stress share. */
public enum Consistency {
    ONE,
    TWO,
    QUORUM,
    ALL,
    LOCAL_ONE,
    LOCAL_QUORUM,
    EACH_QUORUM
}
