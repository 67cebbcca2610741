package io.ringmaster.playground;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of a playground.
 *
 * @param detach whether the command returns when the cluster is up and leaves it running
 * @param keepData whether the volumes stay when it stops
 * @param keepOnFailure whether everything stays in place when the start fails, for inspection
 * @param timeout limit for the start of the cluster
 * @param additions what the spec has beside the example
 * @param movingAddresses whether each launch of a node gets another address
 * @param tls whether everything talks by TLS: servers, nodes, and CQL clients; null for the default
 * @param wan links between datacenters; null puts all on loopback
 */
public record PlaygroundOptions(
        boolean detach,
        boolean keepData,
        boolean keepOnFailure,
        Duration timeout,
        SpecAdditions additions,
        boolean movingAddresses,
        @Nullable Boolean tls,
        WanOptions.@Nullable Link wan) {
    /** These, for a playground that kept its data: its network and its TLS stay. */
    PlaygroundOptions keeping(PlaygroundState kept) {
        WanOptions.Link keptWan = kept.wan() == null ? null : kept.wan().link();
        return new PlaygroundOptions(
                detach,
                true,
                keepOnFailure,
                timeout,
                additions,
                movingAddresses || kept.movingAddresses(),
                kept.tls(),
                wan == null ? keptWan : wan);
    }

    /**
     * Whether everything talks by TLS. Not between networks: nodes of one network share the address from which they
     * connect to those of another one, and it is in no certificate.
     */
    boolean isEncrypted() {
        return tls == null ? wan == null : tls;
    }
}
