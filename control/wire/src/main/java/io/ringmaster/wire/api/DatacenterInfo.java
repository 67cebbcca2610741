package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A datacenter and how it stands with the others.
 *
 * @param servers base URLs under which it answers
 */
public record DatacenterInfo(DatacenterName datacenter, List<String> servers, int machines, List<Peer> peers) {
    public DatacenterInfo {
        servers = List.copyOf(servers);
        peers = List.copyOf(peers);
    }

    /**
     * Another datacenter as seen from here.
     *
     * @param lastHeard null if never
     * @param silence why it does not answer now, or null while it does
     */
    public record Peer(
            DatacenterName datacenter, List<String> servers, @Nullable Instant lastHeard, @Nullable String silence) {
        public Peer {
            servers = List.copyOf(servers);
        }
    }
}
