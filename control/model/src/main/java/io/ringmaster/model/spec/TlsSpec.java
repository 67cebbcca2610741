package io.ringmaster.model.spec;

/**
 * Where the nodes of a cluster use TLS.
 *
 * @param internode between nodes
 */
public record TlsSpec(TlsMode internode) {
    /** Between nodes, with certificates on both sides. */
    public static final TlsSpec INTERNODE = new TlsSpec(TlsMode.REQUIRED);
}
