package io.ringmaster.model.node;

import io.ringmaster.model.Ordered;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ring as one node sees it through gossip, itself included.
 *
 * @param loadBytes live data on its disk
 * @param ownership the fraction of the token ring that is primarily its own in its datacenter, 0 to 1
 * @param pendingHintsBytes hints kept for others
 * @param hintsFor the same by the host id of whom they are kept for
 * @param keyspaces of the users, with how often each is kept
 * @param clients who is connected to it by the native protocol, which Ringmaster itself never is
 */
public record RingView(
        String hostId,
        String releaseVersion,
        String schemaVersion,
        long loadBytes,
        double ownership,
        long pendingHintsBytes,
        List<PeerSeen> peers,
        Map<String, Long> hintsFor,
        List<KeyspaceSeen> keyspaces,
        List<ClientSeen> clients) {
    public RingView {
        // older executors do not tell them
        clients = clients == null ? List.of() : List.copyOf(clients);
        hintsFor = hintsFor == null ? Map.of() : Ordered.copy(hintsFor);
        keyspaces = keyspaces == null ? List.of() : List.copyOf(keyspaces);
        peers = List.copyOf(peers);
    }

    /** Without clients. */
    public RingView(
            String hostId,
            String releaseVersion,
            String schemaVersion,
            long loadBytes,
            double ownership,
            long pendingHintsBytes,
            List<PeerSeen> peers,
            Map<String, Long> hintsFor,
            List<KeyspaceSeen> keyspaces) {
        this(
                hostId,
                releaseVersion,
                schemaVersion,
                loadBytes,
                ownership,
                pendingHintsBytes,
                peers,
                hintsFor,
                keyspaces,
                List.of());
    }

    /**
     * One endpoint in gossip.
     *
     * @param endpoint {@code address:storage_port}
     * @param status gossip's word: NORMAL, BOOT, LEAVING, shutdown, ...
     * @param alive the failure detector's view
     */
    public record PeerSeen(
            String endpoint,
            String hostId,
            String datacenter,
            String rack,
            String status,
            boolean alive,
            String schemaVersion) {
        /** Gossip's words for endpoints that are no members any more, which it repeats for days. */
        private static final Set<String> GONE = Set.of("LEFT", "removed");

        public boolean isNormal() {
            return alive && status.equals("NORMAL");
        }

        public boolean isGone() {
            return GONE.contains(status);
        }
    }

    /**
     * A client of the node, which may have several connections.
     *
     * @param address without its port
     * @param driver its name and version, as far as it tells them
     */
    public record ClientSeen(String address, String user, String driver, int connections) {}

    /**
     * A keyspace of the users.
     *
     * @param replicas how many each datacenter keeps; under {@code *} for a strategy that knows no datacenters
     * @param repaired what the node repaired of the ranges that it is the first replica of; null when it is of none, or does not tell
     */
    public record KeyspaceSeen(String name, Map<String, Integer> replicas, @Nullable Repaired repaired) {
        public KeyspaceSeen {
            replicas = Ordered.copy(replicas);
        }
    }

    /**
     * How well ranges are repaired.
     *
     * @param share how much of them was ever repaired, of the table of which it is least, 0 to 1
     * @param oldest the repair that is longest ago, of any table and range that was repaired; null when none was
     */
    public record Repaired(double share, @Nullable Instant oldest) {}
}
