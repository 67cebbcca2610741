package io.ringmaster.cli.session;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.client.RingmasterClient;
import java.util.Optional;

/** The authorities by which connections to the CQL ports of a cluster are checked. */
public final class CqlTrust {
    private CqlTrust() {}

    /** @return PEM; empty for a cluster that accepts clients in clear text only */
    public static Optional<String> of(RingmasterClient client, ClusterName cluster) {
        return client.spec(cluster).spec().encryptsCql()
                ? Optional.of(client.clientAuthorities(cluster))
                : Optional.empty();
    }
}
