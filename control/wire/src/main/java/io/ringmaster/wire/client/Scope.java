package io.ringmaster.wire.client;

/** How far a read reaches. */
public enum Scope {
    /** The server asks its peers. */
    FLEET,
    /** Only the datacenter of the server that is asked. */
    LOCAL;

    String parameter() {
        return "local=" + (this == LOCAL);
    }
}
