package io.ringmaster.playground;

import java.util.List;

/**
 * Where the servers of a playground listen, in the order of the datacenters.
 *
 * @param listens address and port of each server
 * @param tls whether servers talk by TLS, also with nodes that ask for their seeds
 */
record ServerAddresses(List<String> listens, boolean tls) {
    ServerAddresses {
        listens = List.copyOf(listens);
    }

    int datacenters() {
        return listens.size();
    }

    /** @param datacenter its number, from 1 */
    String listen(int datacenter) {
        return listens.get(datacenter - 1);
    }

    String url(int datacenter) {
        return (tls ? "https://" : "http://") + listen(datacenter);
    }
}
