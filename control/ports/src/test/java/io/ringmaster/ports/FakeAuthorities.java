package io.ringmaster.ports;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PrivateKeyPem;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Authorities whose keys and certificates are words and numbers. */
public final class FakeAuthorities implements Authorities {
    private final AuthorityName control;
    private final Set<AuthorityName> made = new HashSet<>();
    private int issued;

    public FakeAuthorities(DatacenterName datacenter) {
        control = AuthorityName.control(datacenter, 1);
    }

    /** Loses the key of an authority, as a server does whose directory was removed. */
    public synchronized void lose(AuthorityName authority) {
        made.remove(authority);
    }

    /** It never had a former server. */
    @Override
    public AuthorityName unused(AuthorityName wanted) {
        return wanted;
    }

    @Override
    public AuthorityName newest(AuthorityName wanted) {
        return wanted;
    }

    @Override
    public synchronized CertificatePem make(AuthorityName authority) {
        made.add(authority);
        return certificate(authority);
    }

    private static CertificatePem certificate(AuthorityName authority) {
        return new CertificatePem("certificate of " + authority);
    }

    @Override
    public synchronized List<CertificatePem> issue(LeafProfile profile, PublicKeyPem publicKey) {
        if (!made.contains(profile.authority())) {
            throw new UnusableAuthorityException(profile.authority(), "its key is not here", null);
        }
        issued++;
        return List.of(new CertificatePem("certificate " + issued + " of " + profile + " for " + publicKey.text()));
    }

    @Override
    public synchronized DoorCredentials door(AllocationId allocation) {
        String number = "door " + (issued + 1);
        List<CertificatePem> chain = issue(LeafProfile.door(control, allocation), new PublicKeyPem("public " + number));
        return new DoorCredentials(new PrivateKeyPem("private " + number), chain, List.of(certificate(control)));
    }
}
