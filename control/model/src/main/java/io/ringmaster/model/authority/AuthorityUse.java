package io.ringmaster.model.authority;

import java.util.Locale;

/** What the certificates of an authority prove. */
public enum AuthorityUse {
    /** Servers and executors of Ringmaster. */
    CONTROL,
    /** Nodes of one cluster, to each other. */
    INTERNODE,
    /** Nodes of one cluster, to CQL clients. */
    CLIENTS;

    /** The name in subjects and files. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
