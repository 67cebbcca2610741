package io.ringmaster.model.node;

import io.ringmaster.model.authority.CertificatePem;
import java.util.List;

/**
 * New certificates for a node and the authorities that it trusts from then on. It travels beside the target: a renewal
 * is no new generation, and no restart.
 *
 * @param chain the certificate to other nodes first, each signed by the next
 * @param cql the certificate to CQL clients for the same key, then its authority; empty for a node without it
 */
public record IdentityUpdate(List<CertificatePem> chain, List<CertificatePem> trust, List<CertificatePem> cql) {
    public IdentityUpdate {
        chain = List.copyOf(chain);
        trust = List.copyOf(trust);
        cql = cql == null ? List.of() : List.copyOf(cql); // earlier releases do not send it
    }
}
