package io.ringmaster.model.record;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.name.ClusterName;
import org.jspecify.annotations.Nullable;

/**
 * A certificate authority of this datacenter. Its key is a file of the server and in no record.
 *
 * @param retired whether its cluster was deleted: it issues nothing any more, and the next authority of that name gets
 *     another number
 */
public record AuthorityRecord(AuthorityName name, CertificatePem certificate, boolean retired) implements StoredRecord {
    /** The authority after its cluster was deleted. */
    public AuthorityRecord retire() {
        return new AuthorityRecord(name, certificate, true);
    }

    @Override
    public RecordKey key() {
        return new RecordKey.OfAuthority(name);
    }

    @Override
    public @Nullable ClusterName cluster() {
        return name.cluster();
    }

    @Override
    public void accept(Handler handler) {
        handler.authority(this);
    }
}
