package io.ringmaster.model.authority;

/** The kinds of certificates that authorities issue. */
public enum LeafKind {
    /** A server of Ringmaster. */
    SERVER(AuthorityUse.CONTROL),
    /** The executor of an allocation. */
    DOOR(AuthorityUse.CONTROL),
    /** A node, to the other nodes of its cluster. */
    INTERNODE(AuthorityUse.INTERNODE),
    /** A node, to CQL clients. */
    CQL(AuthorityUse.CLIENTS);

    private final AuthorityUse use;

    LeafKind(AuthorityUse use) {
        this.use = use;
    }

    /** The authorities that issue this kind. */
    public AuthorityUse use() {
        return use;
    }
}
