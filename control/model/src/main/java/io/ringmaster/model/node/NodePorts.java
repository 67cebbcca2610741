package io.ringmaster.model.node;

import java.util.List;

/** The ports of one node on the address of its machine, chosen per node so that several nodes share a machine. */
public record NodePorts(int storage, int sslStorage, int nativeTransport, int executor) {
    public List<Integer> all() {
        return List.of(storage, sslStorage, nativeTransport, executor);
    }
}
