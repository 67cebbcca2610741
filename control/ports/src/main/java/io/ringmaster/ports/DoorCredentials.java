package io.ringmaster.ports;

import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.PrivateKeyPem;
import java.util.List;

/**
 * The identity of a new executor, and the servers that it obeys.
 *
 * @param chain the certificate of the key first, each signed by the next
 * @param trust the authorities of the servers
 */
public record DoorCredentials(PrivateKeyPem key, List<CertificatePem> chain, List<CertificatePem> trust) {
    public DoorCredentials {
        chain = List.copyOf(chain);
        trust = List.copyOf(trust);
    }
}
