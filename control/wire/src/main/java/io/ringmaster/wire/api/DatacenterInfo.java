package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A datacenter and its connections to the other datacenters.
 *
 * @param servers base URLs of its servers
 */
public record DatacenterInfo(DatacenterName datacenter, List<String> servers, int machines, List<Peer> peers) {
    public DatacenterInfo {
        servers = List.copyOf(servers);
        peers = List.copyOf(peers);
    }

    /**
     * The connection to another datacenter.
     *
     * @param lastHeard the time of its last report; null before the first
     * @param silence why it does not answer, or null while it answers
     */
    public record Peer(
            DatacenterName datacenter, List<String> servers, @Nullable Instant lastHeard, @Nullable String silence) {
        public Peer {
            servers = List.copyOf(servers);
        }
    }
}
