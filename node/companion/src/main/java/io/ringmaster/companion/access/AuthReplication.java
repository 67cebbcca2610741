package io.ringmaster.companion.access;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.dht.Datacenters;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.schema.ReplicationParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.service.StorageService;

/** The replication of Cassandra's keyspace with roles and permissions. */
public final class AuthReplication {
    private static final int REPLICAS = 3;

    private AuthReplication() {}

    /** The number of replicas in a datacenter with this number of nodes, unless users chose another one. */
    private static int replicas(int nodes) {
        return Math.min(REPLICAS, nodes);
    }

    /**
     * Alters the keyspace where its replication differs.
     *
     * @param nodes the number of nodes by datacenter; other datacenters of the ring keep their replicas
     * @return whether it was altered
     */
    public static boolean alter(Map<String, Integer> nodes) {
        Map<String, String> before = knowsDatacenters() ? replication().options : Map.of();
        Map<String, String> wanted = wanted(before, nodes);
        if (wanted.equals(before)) {
            return false;
        }
        requireInRing(nodes);
        QueryProcessor.process(
                "ALTER KEYSPACE " + SchemaConstants.AUTH_KEYSPACE_NAME + " WITH replication = "
                        + wanted.entrySet().stream()
                                .map(e -> "'" + e.getKey() + "': '" + e.getValue() + "'")
                                .collect(Collectors.joining(", ", "{'class': 'NetworkTopologyStrategy', ", "}")),
                ConsistencyLevel.LOCAL_ONE);
        return true;
    }

    /** Whether {@link #alter} was done once; Cassandra makes the keyspace with one replica in the whole ring. */
    static boolean knowsDatacenters() {
        return replication().klass == NetworkTopologyStrategy.class;
    }

    private static ReplicationParams replication() {
        return Objects.requireNonNull(Schema.instance.getKeyspaceMetadata(SchemaConstants.AUTH_KEYSPACE_NAME))
                .params
                .replication;
    }

    /** The wanted replication in the ring that this node sees. */
    public static Map<String, String> wanted(Map<String, String> before, Map<String, Integer> nodes) {
        return wanted(before, nodes, Datacenters.getValidDatacenters());
    }

    /**
     * More replicas than three stay, if users chose so, but no more than nodes. Datacenters that have left the ring
     * lose theirs: Cassandra refuses a statement that names one, and one that leaves out a datacenter with a member.
     *
     * @param ring the datacenters of the members
     */
    static Map<String, String> wanted(Map<String, String> before, Map<String, Integer> nodes, Set<String> ring) {
        Map<String, String> wanted = new TreeMap<>(before);
        wanted.keySet().removeIf(d -> !nodes.containsKey(d) && !ring.contains(d));
        nodes.forEach((datacenter, count) -> {
            int known = Integer.parseInt(before.getOrDefault(datacenter, "0").replaceFirst("/.*", ""));
            if (known < replicas(count) || known > count) {
                wanted.put(datacenter, Integer.toString(replicas(count)));
            }
        });
        return wanted;
    }

    /** Cassandra names the datacenter that it does not know, but not why. */
    private static void requireInRing(Map<String, Integer> nodes) {
        var known = StorageService.instance
                .getTokenMetadata()
                .cloneOnlyTokenMap()
                .getTopology()
                .getDatacenterEndpoints()
                .keySet();
        nodes.keySet().stream().filter(d -> !known.contains(d)).findFirst().ifPresent(d -> {
            throw new IllegalStateException(
                    "no node of " + d + " is in the ring that this node sees; retry when it is");
        });
    }
}
