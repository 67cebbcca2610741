package io.ringmaster.companion.task;

import io.ringmaster.companion.access.AuthReplication;
import io.ringmaster.companion.access.DeclaredRoleManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.dht.Datacenters;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.service.StorageService;

/**
 * Adds a datacenter that joined the cluster to the replication of all keyspaces, or removes one that is about to leave.
 * It runs {@code ALTER KEYSPACE} for each keyspace with {@code NetworkTopologyStrategy} whose replication differs.
 *
 * <p>The datacenter gets as many replicas of a keyspace as the datacenter with the most, but at most {@code nodes}; 0
 * removes its replicas. Keyspaces with other strategies have no replication per datacenter and stay unchanged.
 *
 * <p>Cassandra refuses to take a datacenter with a member out of the replication of roles. A leaving one keeps one
 * replica there: EACH_QUORUM does not fail before its last node leaves.
 */
final class ReplicateTask implements TaskBody {
    private final String datacenter;
    private final int nodes;

    ReplicateTask(Map<String, String> args) {
        if (!args.containsKey("datacenter") || !args.getOrDefault("nodes", "").matches("\\d{1,6}")) {
            throw new IllegalArgumentException("the arguments datacenter and nodes are required, not " + args);
        }
        this.datacenter = args.get("datacenter");
        this.nodes = Integer.parseInt(args.get("nodes"));
    }

    @Override
    public String run(Progress progress) {
        Set<String> ring = Datacenters.getValidDatacenters();
        if (nodes == 0) {
            for (String keyspace : Tables.keyspacesWithRows()) {
                requireOthers(keyspace, Tables.datacenters(keyspace), datacenter, ring);
            }
        }
        List<String> changed = new ArrayList<>();
        List<String> unaware = new ArrayList<>();
        for (String name : StorageService.instance.getNonSystemKeyspaces()) {
            KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(name);
            if (progress.isStopped() || keyspace == null) {
                continue;
            }
            if (keyspace.params.replication.klass != NetworkTopologyStrategy.class) {
                unaware.add(name);
                continue;
            }
            Map<String, String> options = keyspace.params.replication.options;
            Map<String, String> wanted = isOfRoles(name)
                    ? ofRoles(options, ring, DeclaredRoleManager.isInUse())
                    : replicas(options, datacenter, nodes, ring);
            if (!wanted.isEmpty() && !wanted.equals(options)) {
                progress.at("alters " + name, () -> changed.size());
                QueryProcessor.process(statement(name, wanted), ConsistencyLevel.LOCAL_ONE);
                changed.add(name + " " + wanted.getOrDefault(datacenter, "0"));
            }
        }
        return "replicas in " + datacenter + ": " + (changed.isEmpty() ? "unchanged" : String.join(", ", changed))
                + (unaware.isEmpty() ? "" : "; without datacenters: " + String.join(", ", unaware));
    }

    private static boolean isOfRoles(String keyspace) {
        return keyspace.equals(SchemaConstants.AUTH_KEYSPACE_NAME);
    }

    /** The only keyspace that loses the replicas of departed datacenters although nothing else of it changes. */
    private Map<String, String> ofRoles(Map<String, String> options, Set<String> ring, boolean inUse) {
        if (nodes == 0) {
            return ofRolesUntilLeft(options, datacenter, ring);
        }
        return inUse
                ? AuthReplication.wanted(options, Map.of(datacenter, nodes))
                : replicas(present(options, datacenter, ring), datacenter, nodes, ring);
    }

    /** The least that Cassandra accepts while the datacenter has a member. */
    static Map<String, String> ofRolesUntilLeft(Map<String, String> options, String leaving, Set<String> ring) {
        if (!options.containsKey(leaving)) {
            return options;
        }
        Map<String, String> wanted = present(options, leaving, ring);
        wanted.put(leaving, "1");
        return wanted;
    }

    /** Without the datacenters that have left the ring: Cassandra refuses a statement that names one. */
    private static Map<String, String> present(Map<String, String> options, String datacenter, Set<String> ring) {
        Map<String, String> present = new TreeMap<>(options);
        present.keySet().removeIf(d -> !d.equals(datacenter) && !ring.contains(d));
        return present;
    }

    /** Checked for all before any keyspace is altered. Replicas in a datacenter that has left the ring do not count. */
    static void requireOthers(String keyspace, Set<String> datacenters, String leaving, Set<String> ring) {
        if (datacenters.contains(leaving)
                && datacenters.stream().noneMatch(d -> !d.equals(leaving) && ring.contains(d))) {
            throw new IllegalStateException(
                    "keyspace " + keyspace + " has replicas only in " + leaving + " and would be lost");
        }
    }

    /**
     * The options themselves if the datacenter has what it needs.
     *
     * @param options replicas by datacenter; transient replicas follow a slash and are not copied to another datacenter
     * @param ring the datacenters of the members
     */
    static Map<String, String> replicas(Map<String, String> options, String datacenter, int nodes, Set<String> ring) {
        Map<String, String> wanted = present(options, datacenter, ring);
        if (nodes == 0) {
            // Cassandra refuses a keyspace without any replica
            return wanted.size() > 1 && wanted.remove(datacenter) != null ? wanted : options;
        }
        int most = wanted.values().stream()
                .mapToInt(o -> Integer.parseInt(o.replaceFirst("/.*", "")))
                .max()
                .orElse(0);
        return most > 0 && wanted.putIfAbsent(datacenter, Integer.toString(Math.min(most, nodes))) == null
                ? wanted
                : options;
    }

    private static String statement(String keyspace, Map<String, String> replicas) {
        return "ALTER KEYSPACE \"" + keyspace + "\" WITH replication = "
                + replicas.entrySet().stream()
                        .map(e -> "'" + e.getKey() + "': '" + e.getValue() + "'")
                        .collect(Collectors.joining(", ", "{'class': 'NetworkTopologyStrategy', ", "}"));
    }

    @Override
    public void stop() {}
}
