package io.ringmaster.model.node;

import io.ringmaster.model.authority.CertificatePem;
import java.util.List;

/**
 * A new certificate for a node and the authorities that it trusts from then on. It travels beside the target: a renewal
 * is no new generation, and no restart.
 *
 * @param chain the certificate first, each signed by the next
 */
public record IdentityUpdate(List<CertificatePem> chain, List<CertificatePem> trust) {
    public IdentityUpdate {
        chain = List.copyOf(chain);
        trust = List.copyOf(trust);
    }
}
