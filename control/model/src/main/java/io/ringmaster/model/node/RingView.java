package io.ringmaster.model.node;

import io.ringmaster.model.Ordered;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ring as one node sees it through gossip, itself included.
 *
 * @param loadBytes live data on its disk
 * @param ownership the fraction of the token ring that the node primarily owns in its datacenter, 0 to 1
 * @param pendingHintsBytes hints that the node stores for others
 * @param hintsFor bytes of its hint files, by the host id of the node that they are for
 * @param keyspaces the keyspaces of the users, with their replication
 * @param clientAccess null from an older executor
 * @param clients the clients that are connected by the native protocol; Ringmaster itself never is
 * @param systemKeyspaces the keyspaces of Cassandra itself whose rows users write: those of roles and permissions
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
        @Nullable ClientAccess clientAccess,
        List<ClientSeen> clients,
        List<KeyspaceSeen> systemKeyspaces) {
    public RingView {
        // older executors do not report them
        clients = clients == null ? List.of() : List.copyOf(clients);
        hintsFor = hintsFor == null ? Map.of() : Ordered.copy(hintsFor);
        keyspaces = keyspaces == null ? List.of() : List.copyOf(keyspaces);
        systemKeyspaces = systemKeyspaces == null ? List.of() : List.copyOf(systemKeyspaces);
        peers = List.copyOf(peers);
    }

    /** A view that is open to clients and has none. */
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
                ClientAccess.OPEN,
                List.of(),
                List.of());
    }

    /**
     * The members of the ring, each once. A node that changed its address is in gossip at its former endpoint too, with
     * the same host id, for a while: the one that is alive counts.
     */
    public List<PeerSeen> members() {
        Map<String, PeerSeen> byHost = new LinkedHashMap<>();
        peers.stream()
                .filter(p -> !p.isGone())
                .forEach(p ->
                        byHost.merge(p.identity(), p, (one, other) -> other.alive() && !one.alive() ? other : one));
        return List.copyOf(byHost.values());
    }

    /** The member with this host id. */
    public Optional<PeerSeen> member(String host) {
        return members().stream().filter(p -> host.equals(p.hostId())).findFirst();
    }

    /**
     * One endpoint in gossip.
     *
     * @param endpoint {@code address:storage_port}
     * @param hostId null until it is in gossip
     * @param status the status in gossip: NORMAL, BOOT, LEAVING, shutdown, ...
     * @param alive the view of the failure detector
     */
    public record PeerSeen(
            String endpoint,
            @Nullable String hostId,
            String datacenter,
            String rack,
            String status,
            boolean alive,
            String schemaVersion) {
        /** The status of endpoints that are no longer members, which gossip repeats for days. */
        private static final Set<String> GONE = Set.of("LEFT", "removed");

        public boolean isNormal() {
            return alive && status.equals("NORMAL");
        }

        public boolean isGone() {
            return GONE.contains(status);
        }

        /** The host id, or the endpoint of a node that has not gossiped its host id yet. */
        private String identity() {
            return hostId == null || hostId.isEmpty() ? endpoint : hostId;
        }
    }

    /**
     * A client of the node, which may have several connections.
     *
     * @param address without its port
     * @param driver name and version of the driver, as far as the driver reports them
     */
    public record ClientSeen(String address, String user, String driver, int connections) {}

    /**
     * A keyspace and its replication.
     *
     * @param replicas the number of replicas by datacenter; under {@code *} for a strategy that knows no
     *     datacenters
     * @param repaired the repair state of the node's primary ranges; null when there are
     *     none, or the node does not report it
     * @param gcGraceSeconds the smallest gc_grace_seconds of its tables that is not 0; null without such a table, and
     *     from an older executor
     * @param roles the roles in its rows; null in every other keyspace, from all nodes of a datacenter but one, and
     *     while they cannot be read
     */
    public record KeyspaceSeen(
            String name,
            Map<String, Integer> replicas,
            @Nullable Repaired repaired,
            @Nullable Long gcGraceSeconds,
            @Nullable List<RoleSeen> roles) {
        public KeyspaceSeen {
            replicas = Ordered.copy(replicas);
            roles = roles == null ? null : List.copyOf(roles);
        }

        /** A keyspace without tables. */
        public KeyspaceSeen(String name, Map<String, Integer> replicas, @Nullable Repaired repaired) {
            this(name, replicas, repaired, null, null);
        }
    }

    /**
     * How far ranges are repaired.
     *
     * @param share the fraction of the ranges that was ever repaired, for the table with the smallest such
     *     fraction, 0 to 1
     * @param oldest the time of the oldest last repair of any table and range that was repaired; null when none was
     */
    public record Repaired(double share, @Nullable Instant oldest) {}
}
