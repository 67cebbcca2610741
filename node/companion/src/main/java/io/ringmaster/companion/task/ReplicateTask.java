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
 * removes its replicas. Keyspaces with other strategies have no replication per datacenter and stay unchanged, and so
 * does that of roles before a datacenter leaves: Cassandra refuses to take a datacenter out of it that has a member.
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
        if (nodes == 0) {
            for (String keyspace : Tables.keyspacesWithRows()) {
                requireOthers(keyspace, Tables.datacenters(keyspace), datacenter);
            }
        }
        List<String> changed = new ArrayList<>();
        List<String> unaware = new ArrayList<>();
        for (String name : StorageService.instance.getNonSystemKeyspaces()) {
            KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(name);
            if (progress.isStopped() || keyspace == null || (nodes == 0 && mustNameMembers(name))) {
                continue;
            }
            if (keyspace.params.replication.klass != NetworkTopologyStrategy.class) {
                unaware.add(name);
                continue;
            }
            Map<String, String> wanted =
                    name.equals(SchemaConstants.AUTH_KEYSPACE_NAME) && nodes > 0 && DeclaredRoleManager.isInUse()
                            ? AuthReplication.wanted(keyspace.params.replication.options, Map.of(datacenter, nodes))
                            : replicas(keyspace.params.replication.options, datacenter, nodes);
            if (!wanted.equals(keyspace.params.replication.options)) {
                progress.at("alters " + name, () -> changed.size());
                QueryProcessor.process(statement(name, wanted), ConsistencyLevel.LOCAL_ONE);
                changed.add(name + " " + wanted.getOrDefault(datacenter, "0"));
            }
        }
        return "replicas in " + datacenter + ": " + (changed.isEmpty() ? "unchanged" : String.join(", ", changed))
                + (unaware.isEmpty() ? "" : "; without datacenters: " + String.join(", ", unaware));
    }

    /** Whether Cassandra demands that the keyspace names every datacenter with a member: it is the only such one. */
    static boolean mustNameMembers(String keyspace) {
        return keyspace.equals(SchemaConstants.AUTH_KEYSPACE_NAME);
    }

    /** Checked for all before any keyspace is altered. */
    static void requireOthers(String keyspace, Set<String> datacenters, String leaving) {
        if (datacenters.equals(Set.of(leaving))) {
            throw new IllegalStateException(
                    "keyspace " + keyspace + " has replicas only in " + leaving + " and would be lost");
        }
    }

    /**
     * @param options replicas by datacenter; transient replicas follow a slash and are not copied to another datacenter
     */
    static Map<String, String> replicas(Map<String, String> options, String datacenter, int nodes) {
        Map<String, String> wanted = new TreeMap<>(options);
        if (nodes == 0) {
            // Cassandra refuses a keyspace without any replica
            if (wanted.size() > 1) {
                wanted.remove(datacenter);
            }
            return wanted;
        }
        int most = options.values().stream()
                .mapToInt(o -> Integer.parseInt(o.replaceFirst("/.*", "")))
                .max()
                .orElse(0);
        if (most > 0) {
            wanted.putIfAbsent(datacenter, Integer.toString(Math.min(most, nodes)));
        }
        return wanted;
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
