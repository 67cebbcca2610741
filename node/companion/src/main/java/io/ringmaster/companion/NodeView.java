package io.ringmaster.companion;

import io.ringmaster.companion.access.SeenRoles;
import io.ringmaster.companion.cassandra.OpenKeyspaces;
import io.ringmaster.companion.cassandra.RingCopy;
import io.ringmaster.companion.task.Repairs;
import io.ringmaster.companion.task.Tables;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.gms.ApplicationState;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.gms.VersionedValue;
import org.apache.cassandra.locator.AbstractReplicationStrategy;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.metrics.StorageMetrics;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's mode, activity and view of the ring, under the field names of {@code RingView} in the model.
 *
 * <p>Cassandra's singletons must not be touched before its start has created them: a class that is loaded out of order
 * reads a configuration that does not exist yet. A registered MBean shows that its singleton exists.
 */
final class NodeView {
    private static final Logger LOG = LoggerFactory.getLogger(NodeView.class);
    private static final ObjectName STORAGE_SERVICE = name("org.apache.cassandra.db:type=StorageService");
    private static final ObjectName GOSSIPER = name("org.apache.cassandra.net:type=Gossiper");

    private final Thread starter;
    private final ClosedCql cql;
    private final SeenRoles roles = new SeenRoles();
    private final Periodic ownership = new Periodic("ringmaster-ownership", Duration.ofSeconds(2), this::measure);
    private final Periodic repairs = new Periodic(
            "ringmaster-repairs", Duration.ofSeconds(20), () -> Repairs.refresh(Tables.keyspacesWithRows()));
    private volatile double owned;

    NodeView(Thread starter, ClosedCql cql) {
        this.starter = starter;
        this.cql = cql;
    }

    Map<String, Object> read() {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("pid", ProcessHandle.current().pid());
        boolean starting = starter.isAlive();
        String mode = exists(STORAGE_SERVICE) ? StorageService.instance.getOperationMode() : "STARTING";
        // Cassandra reports NORMAL once it owns its tokens, seconds before it opens CQL: for clients it still joins
        node.put("mode", starting && mode.equals("NORMAL") ? "JOINING" : mode);
        node.put("activity", starting ? Activity.of(starter.getStackTrace()) : afterStart(mode));
        node.put("cql", !starting && StorageService.instance.isNativeTransportRunning());
        node.put("awaitsClients", cql.awaitsClients());
        if (isGossiping()) {
            // gossip starts after the system tables are open and before Cassandra joins
            node.put("bootstrapped", SystemKeyspace.bootstrapComplete());
        }
        boolean open = !starting && exists(STORAGE_SERVICE) && StorageService.instance.isNativeTransportRunning();
        Map<String, Object> ring = ring(open);
        if (ring != null) {
            ring.put("clientAccess", open ? "OPEN" : cql.awaitsClients() ? "AWAITS_CREATION" : "CLOSED");
            if (open) {
                ring.put("clients", NativeClients.connected());
            }
            node.put("ring", ring);
        }
        return node;
    }

    /** @throws ManagementServer.Refusal Cassandra is still starting */
    void requireStarted(String what) throws ManagementServer.Refusal {
        if (starter.isAlive()) {
            throw new ManagementServer.Refusal(409, "cannot " + what + " while the node is starting: wait for NORMAL");
        }
    }

    private static String afterStart(String mode) {
        return switch (mode) {
            case "NORMAL" -> StorageService.instance.isNativeTransportRunning() ? "serving" : "closed to clients";
            case "DRAINING" -> StorageService.instance.getDrainProgress();
            case "DRAINED" -> "drained";
            case "LEAVING" -> "leaving the ring";
            case "DECOMMISSIONED" -> "left the ring";
            default -> mode.toLowerCase(java.util.Locale.ROOT);
        };
    }

    private static boolean isGossiping() {
        return exists(GOSSIPER) && exists(STORAGE_SERVICE) && Gossiper.instance.isEnabled();
    }

    /** What walks tables or tokens is computed elsewhere: an answer is due in milliseconds, however many there are. */
    private @Nullable Map<String, Object> ring(boolean open) {
        if (!isGossiping()) {
            return null;
        }
        InetAddressAndPort self = FBUtilities.getBroadcastAddressAndPort();
        EndpointState own = Gossiper.instance.getEndpointStateForEndpoint(self);
        if (own == null || own.getApplicationState(ApplicationState.HOST_ID) == null) {
            return null;
        }
        Map<String, Long> hints = hintsFor();
        if (hints == null) {
            return null;
        }
        ownership.start();
        repairs.start();
        Map<String, Object> ring = new LinkedHashMap<>();
        ring.put("hostId", value(own, ApplicationState.HOST_ID));
        ring.put("releaseVersion", FBUtilities.getReleaseVersionString());
        ring.put("schemaVersion", value(own, ApplicationState.SCHEMA));
        ring.put("loadBytes", StorageMetrics.load.getCount());
        ring.put("ownership", owned);
        ring.put(
                "pendingHintsBytes",
                hints.values().stream().mapToLong(Long::longValue).sum());
        ring.put("hintsFor", hints);
        ring.put("keyspaces", keyspaces(Tables.userKeyspaces()));
        List<Map<String, Object>> auth = keyspaces(List.of(SchemaConstants.AUTH_KEYSPACE_NAME));
        List<Map<String, Object>> seen = open ? roles.current() : null;
        if (seen != null) {
            auth.forEach(keyspace -> keyspace.put("roles", seen));
        }
        ring.put("systemKeyspaces", auth);
        List<Map<String, Object>> peers = new ArrayList<>();
        for (InetAddressAndPort endpoint : Gossiper.instance.getEndpoints()) {
            EndpointState state = Gossiper.instance.getEndpointStateForEndpoint(endpoint);
            if (state != null) {
                peers.add(peer(endpoint, state, endpoint.equals(self)));
            }
        }
        ring.put("peers", peers);
        return ring;
    }

    private void measure() {
        owned = RingCopy.now().ownership(FBUtilities.getBroadcastAddressAndPort());
    }

    private static Map<String, Object> peer(InetAddressAndPort endpoint, EndpointState state, boolean self) {
        Map<String, Object> peer = new LinkedHashMap<>();
        peer.put("endpoint", endpoint.getHostAddressAndPort());
        peer.put("hostId", value(state, ApplicationState.HOST_ID));
        peer.put("datacenter", value(state, ApplicationState.DC));
        peer.put("rack", value(state, ApplicationState.RACK));
        peer.put("status", Gossiper.getGossipStatus(state));
        peer.put("alive", self || state.isAlive());
        peer.put("schemaVersion", value(state, ApplicationState.SCHEMA));
        return peer;
    }

    private static String value(EndpointState state, ApplicationState key) {
        VersionedValue value = state.getApplicationState(key);
        return value == null ? "" : value.value;
    }

    /** Bytes of this node's hint files, by the host id of their target; null if they cannot be listed. */
    private static @Nullable Map<String, Long> hintsFor() {
        try {
            return HintFiles.bytes(DatabaseDescriptor.getHintsDirectory().toPath());
        } catch (IOException e) {
            LOG.warn("cannot list the hints; the view of the ring is not reported", e);
            return null;
        }
    }

    /** The keyspaces with their replication factor per datacenter and their last repair by this node. */
    private static List<Map<String, Object>> keyspaces(List<String> names) {
        List<Map<String, Object>> keyspaces = new ArrayList<>();
        for (String name : names) {
            Keyspace keyspace = OpenKeyspaces.open(name).orElse(null);
            if (keyspace == null) {
                continue; // dropped in the meantime
            }
            AbstractReplicationStrategy strategy = keyspace.getReplicationStrategy();
            Map<String, Integer> replicas = new TreeMap<>();
            if (strategy instanceof NetworkTopologyStrategy topology) {
                topology.getDatacenters().forEach(d -> replicas.put(d, topology.getReplicationFactor(d).allReplicas));
            } else {
                replicas.put("*", strategy.getReplicationFactor().allReplicas);
            }
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("name", name);
            fields.put("replicas", replicas);
            Map<String, Object> repaired = Repairs.of(name);
            if (repaired != null) {
                fields.put("repaired", repaired);
            }
            keyspace.getColumnFamilyStores().stream()
                    .mapToLong(table -> table.metadata().params.gcGraceSeconds)
                    .filter(seconds -> seconds > 0) // as Cassandra's start-up check does
                    .min()
                    .ifPresent(seconds -> fields.put("gcGraceSeconds", seconds));
            keyspaces.add(fields);
        }
        return keyspaces;
    }

    private static boolean exists(ObjectName name) {
        return ManagementFactory.getPlatformMBeanServer().isRegistered(name);
    }

    private static ObjectName name(String text) {
        try {
            return new ObjectName(text);
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
