package io.ringmaster.model.spec;

import java.util.Locale;

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

    /** What is null was not written: {@code clients} by earlier releases. */
    public TlsSpec {
        internode = internode == null ? TlsMode.OFF : internode;
        clients = clients == null ? ClientTlsMode.OFF : clients;
    }

    /** As the spec has it: {@code {internode: required, clients: optional}}. */
    public String text() {
        return ("{internode: " + internode + (encryptsCql() ? ", clients: " + clients : "") + "}")
                .toLowerCase(Locale.ROOT);
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
