package io.ringmaster.model.spec;

/**
 * Where the nodes of a cluster use TLS.
 *
 * @param internode between nodes
 * @param clients between CQL clients and nodes
 */
public record TlsSpec(TlsMode internode, ClientTlsMode clients) {
    /** Between nodes, with certificates on both sides. */
    public static final TlsSpec INTERNODE = new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.OFF);

    /** Everything in clear text. */
    public static final TlsSpec OFF = new TlsSpec(TlsMode.OFF, ClientTlsMode.OFF);

    /** @param clients null in what earlier releases wrote */
    public TlsSpec {
        clients = clients == null ? ClientTlsMode.OFF : clients;
    }

    /** Whether nodes need a certificate for CQL clients. */
    public boolean encryptsCql() {
        return clients != ClientTlsMode.OFF;
    }

    /** Whether some connections may be in clear text, or without a certificate, that may not with the other. */
    public boolean isWeakerThan(TlsSpec other) {
        return internode.compareTo(other.internode) < 0 || clients.compareTo(other.clients) < 0;
    }
}
