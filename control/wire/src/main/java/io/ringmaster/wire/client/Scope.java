package io.ringmaster.wire.client;

/** The datacenters that a read covers. */
public enum Scope {
    /** All datacenters: the server asks its peers. */
    FLEET,
    /** The datacenter of the server that is asked. */
    LOCAL;

    String parameter() {
        return "local=" + (this == LOCAL);
    }
}
