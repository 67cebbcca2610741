package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.RestoreSource;
import io.ringmaster.simulator.ledger.Replica;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The backups that clusters start from, and what of them each node has fetched and imported. */
public final class RestoredClusters {
    private static final String BACKUP = "backup";

    private final World world;
    private final Map<String, RestoreOrigin> backups = new TreeMap<>();
    private final Map<SimNode, Files> fetched = new HashMap<>();
    private final Map<SimNode, Files> imported = new HashMap<>();
    /** Where the tables of each backup were made. */
    private final Map<String, DatacenterName> schemas = new TreeMap<>();

    private final Set<ClusterName> withSchema = new TreeSet<>();
    /** The clusters with a node that has accepted clients. */
    private final Set<ClusterName> opened = new TreeSet<>();

    /** The files of one node of a backup. */
    private record Files(String backup, NodeId source) {}

    RestoredClusters(World world) {
        this.world = world;
    }

    /** A backup is in the store, of one declaration alone. */
    public void made(RestoreSource source, RestoreOrigin origin) {
        backups.put(source.backup(), origin);
    }

    /** What a server reads of the backup. */
    public RestoreOrigin read(RestoreSource source) {
        return origin(source.backup());
    }

    private RestoreOrigin origin(String backup) {
        return Objects.requireNonNull(backups.get(backup), "specs name backups that exist");
    }

    /** A new cluster takes the name of a deleted one. */
    void forget(ClusterName cluster) {
        withSchema.remove(cluster);
        opened.remove(cluster);
    }

    /** The transfer of a node is done. */
    void fetched(SimNode node, NodeTask task) {
        String backup = arg(task, BACKUP);
        String source = arg(task, "source");
        origin(backup).nodes().stream()
                .map(RestoreOrigin.Node::node)
                .filter(n -> source.equals(n.datacenter() + "." + n.shortName()))
                .forEach(n -> fetched.put(node, new Files(backup, n)));
    }

    /** Makes the tables, as the task does. Returns false without files. */
    boolean makesSchema(SimNode node, NodeTask task) {
        String backup = arg(task, BACKUP);
        if (!hasFetched(node, backup)) {
            return false;
        }
        withSchema.add(node.cluster());
        schemas.putIfAbsent(backup, node.datacenter());
        return true;
    }

    /** Whether the task imports files whose tables have not arrived by the ring: it waits for them. */
    boolean lacksSchema(SimNode node, NodeTask task) {
        DatacenterName made = schemas.get(arg(task, BACKUP));
        return hasFetched(node, arg(task, BACKUP))
                && (made == null || (world.isPartitioned() && !made.equals(node.datacenter())));
    }

    /** Imports the files, as the task does. Returns false without files. */
    boolean imports(SimNode node, NodeTask task) {
        String backup = arg(task, BACKUP);
        Files files = fetched.get(node);
        if (files == null || !hasFetched(node, backup)) {
            return false;
        }
        imported.put(node, files);
        world.keyspaces().of(node.cluster()).keySet().forEach(node::addRows);
        return true;
    }

    private boolean hasFetched(SimNode node, String backup) {
        Files files = fetched.get(node);
        return files != null && files.backup().equals(backup);
    }

    private static String arg(NodeTask task, String name) {
        return Objects.requireNonNull(task.args().get(name), name);
    }

    boolean hasSchema(ClusterName cluster) {
        return withSchema.contains(cluster);
    }

    /** Whether the node joins a cluster whose rows are those of a backup. */
    boolean isRestored(SimNode node) {
        return !opened.contains(node.cluster()) && backup(node).isPresent();
    }

    /** The backup that the spec of the node's cluster names, as its datacenter knows it. */
    private Optional<String> backup(SimNode node) {
        DatacenterName datacenter = node.datacenter();
        return world.records(datacenter, ClusterRecord.class).stream()
                .filter(c -> c.name().equals(node.cluster()) && !c.deleting())
                .flatMap(c -> world.records(datacenter, SpecRecord.class).stream()
                        .filter(s -> s.cluster().equals(c.name()) && s.version() == c.targetSpecVersion()))
                .findFirst()
                .map(s -> s.spec().restore())
                .map(RestoreSource::backup);
    }

    /**
     * A node accepts clients.
     *
     * @return the node of the backup whose rows are missing, if this is the first node of its cluster that does
     */
    public Optional<NodeId> lackedWhenOpened(SimNode node) {
        if (!opened.add(node.cluster())) {
            return Optional.empty();
        }
        return backup(node).flatMap(backup -> origin(backup).nodes().stream()
                .map(RestoreOrigin.Node::node)
                .filter(source ->
                        heir(node.cluster(), new Files(backup, source)).isEmpty())
                .findFirst());
    }

    /** The node that has the rows of one of the backup. */
    private Optional<SimNode> heir(ClusterName cluster, Files files) {
        return world.nodesOf(cluster).stream()
                .filter(n -> !n.isReleased() && files.equals(imported.get(n)))
                .findFirst();
    }

    /**
     * The replicas of the backup, each with the one that has its rows now, or with itself if none has.
     *
     * @return empty for a cluster that started without rows
     */
    Map<Replica, Replica> heirs(ClusterName cluster) {
        Map<Replica, Replica> heirs = new LinkedHashMap<>();
        Optional<String> backup =
                world.nodesOf(cluster).stream().flatMap(n -> backup(n).stream()).findFirst();
        for (RestoreOrigin.Node source : backup.map(b -> origin(b).nodes()).orElse(List.of())) {
            Replica replica = new Replica(source.node().value(), source.node().datacenter());
            replica.startsWith(source.tokens().stream().map(Long::valueOf).toList(), source.rack());
            heirs.put(
                    replica,
                    heir(cluster, new Files(backup.orElseThrow(), source.node()))
                            .map(SimNode::replica)
                            .orElse(replica));
        }
        return heirs;
    }
}
