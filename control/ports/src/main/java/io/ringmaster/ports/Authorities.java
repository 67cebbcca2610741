package io.ringmaster.ports;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.name.AllocationId;
import java.time.Instant;
import java.util.List;

/** The certificate authorities of one datacenter. Their keys never leave the implementation. */
public interface Authorities {
    /**
     * Makes an authority unless it exists. Servers that make it at once agree on one.
     *
     * @return its certificate, the same at every call
     * @throws UnusableAuthorityException its key cannot be stored or read
     */
    CertificatePem make(AuthorityName authority);

    /**
     * The first name from this one on that had no key here when this process started. A store that is new does not know
     * the clusters of the former one, and a namesake must not be trusted by the authority of one of them.
     */
    AuthorityName unused(AuthorityName wanted);

    /** The last name from this one on that has a key here, in unbroken sequence; this one if it has none. */
    AuthorityName newest(AuthorityName wanted);

    /**
     * Issues a certificate, valid from now.
     *
     * @param publicKey of the process that will use it
     * @return the certificate first, each signed by the next; without the authority's own
     * @throws UnusableAuthorityException the authority was not made here, its key is lost, or it has ended
     * @throws IllegalArgumentException this is no public key
     */
    List<CertificatePem> issue(LeafProfile profile, PublicKeyPem publicKey);

    /**
     * Makes a new key and certificate for the executor of an allocation, by the datacenter's control authority.
     *
     * @throws UnusableAuthorityException as {@link #issue}
     */
    DoorFiles door(AllocationId allocation);

    /**
     * When a door is to be replaced: after two thirds of its life. At once, which is {@link Instant#MIN}, if its files
     * are damaged, or if it is of another allocation or authority than a new one would be.
     *
     * @throws UnusableAuthorityException as {@link #make}
     */
    Instant renewal(AllocationId allocation, DoorFiles door);
}
