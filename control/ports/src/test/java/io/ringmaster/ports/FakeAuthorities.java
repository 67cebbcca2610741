package io.ringmaster.ports;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Authorities whose keys and certificates are words and numbers. */
public final class FakeAuthorities implements Authorities {
    private static final Pattern DOOR = Pattern.compile("^private door (\\d+)\\n");

    private final AuthorityName control;
    private final Set<AuthorityName> made = new HashSet<>();
    private int issued;
    private int aged;

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
    public synchronized DoorFiles door(AllocationId allocation) {
        String number = "door " + (issued + 1);
        List<CertificatePem> chain = issue(LeafProfile.door(control, allocation), new PublicKeyPem("public " + number));
        return new DoorFiles(
                "private " + number + "\n" + chain.get(0).text(),
                certificate(control).text());
    }

    /** Two thirds of the life of all doors that were issued before are over. */
    public synchronized void ageDoors() {
        aged = issued;
    }

    @Override
    public synchronized Instant renewal(AllocationId allocation, DoorFiles door) {
        Matcher numbered = DOOR.matcher(door.identity());
        return numbered.find()
                        && Integer.parseInt(numbered.group(1)) > aged
                        && door.identity().contains(String.valueOf(LeafProfile.door(control, allocation)))
                        && door.servers().equals(certificate(control).text())
                ? Instant.MAX
                : Instant.MIN;
    }
}
