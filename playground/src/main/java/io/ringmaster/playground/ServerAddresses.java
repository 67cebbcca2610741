package io.ringmaster.playground;

import java.util.List;

/**
 * Where the servers of a playground listen, in the order of the datacenters.
 *
 * @param listens address and port of each server
 * @param seedListens where nodes ask for their seeds when servers talk by TLS; empty without TLS
 */
record ServerAddresses(List<String> listens, List<String> seedListens) {
    ServerAddresses {
        listens = List.copyOf(listens);
        seedListens = List.copyOf(seedListens);
    }

    boolean tls() {
        return !seedListens.isEmpty();
    }

    int datacenters() {
        return listens.size();
    }

    /** @param datacenter its number, from 1 */
    String listen(int datacenter) {
        return listens.get(datacenter - 1);
    }

    String seedListen(int datacenter) {
        return seedListens.get(datacenter - 1);
    }

    String url(int datacenter) {
        return (tls() ? "https://" : "http://") + listen(datacenter);
    }
}
