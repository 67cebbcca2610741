package io.ringmaster.core.assess;

/** Effects of plans that no later plan reverses, for notes and for the impact of a plan. */
public enum Irreversible {
    DELETE("a cluster that is declared under this name again starts empty and does not use the kept volumes"),
    DELETE_WITH_DATA("a cluster that is declared under this name again starts empty"),
    LEAVE("the volume of a node that leaves is kept, but a node that is added again streams all its data"),
    REPLACE("the old volume is no longer part of the ring"),
    EVACUATE("a node that has its new place streams its data there and does not use its old volume again"),
    COMPACT("with the size-tiered strategy the one large SSTable is compacted again only when there are others of its"
            + " size"),
    CLEANUP("a node drops the rows of ranges that it does not own; their owners have them"),
    GARBAGE_COLLECT("data that a newer write or a deletion shadows is removed from disk"),
    CLEAR_SNAPSHOTS("all that only snapshots hold is deleted, such as dropped and truncated tables, and what a cleanup"
            + " removed"),
    UPGRADE_SSTABLES("an older Cassandra may not read the new format");

    private final String sentence;

    Irreversible(String sentence) {
        this.sentence = sentence;
    }

    public String sentence() {
        return sentence;
    }

    /** The note of a plan. */
    public String note() {
        return "this cannot be undone: " + sentence;
    }
}
