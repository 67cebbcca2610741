package io.ringmaster.model.node;

import io.ringmaster.model.authority.CertificatePem;
import java.util.List;

/**
 * New certificates for a node. It travels beside the target: a renewal is no new generation, and no restart. The node
 * keeps a certificate that is not in it.
 *
 * @param chain the certificate to other nodes first, each signed by the next; empty if it is not replaced
 * @param trust the authorities of the nodes that it accepts from then on; only together with a chain
 * @param cql the certificate to CQL clients for the same key, then its authority; empty if it is not replaced
 */
public record IdentityUpdate(List<CertificatePem> chain, List<CertificatePem> trust, List<CertificatePem> cql) {
    public IdentityUpdate {
        chain = List.copyOf(chain);
        trust = List.copyOf(trust);
        cql = cql == null ? List.of() : List.copyOf(cql); // earlier releases do not send it
    }
}
