package io.ringmaster.simulator.repository;

/** A planted bug: the requests of an actor are sent as a program with that bug would send them. */
public enum ProtocolBug {
    NONE,
    /** An upload reads the epoch before it puts its intent. */
    EPOCH_BEFORE_INTENT,
    /** An upload chooses its base before it puts its intent, and does not look again. */
    BASE_BEFORE_INTENT,
    /** A collection deletes the intents before it puts its epoch. */
    INTENTS_BEFORE_EPOCH,
    /** A collection does not look for nodes that read. */
    READERS_IGNORED,
    /** A commit does not look for its intents. */
    INTENTS_NOT_CHECKED,
    /** A collection deletes what starts with the second of a backup's id, not with the whole id. */
    IDS_BY_PREFIX
}
