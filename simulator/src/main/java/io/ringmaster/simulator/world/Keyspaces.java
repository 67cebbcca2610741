package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.simulator.mutation.Mutation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The user keyspaces of each cluster: the replicas in each datacenter, and the nodes whose rows are complete. */
public final class Keyspaces {
    public static final int REPLICAS = 3;

    /** Created with the cluster in its first datacenters. */
    public static final String TRIPS = "trips";

    /** Created by a user in one datacenter; a user may extend it to the other one. */
    public static final String LEDGER = "ledger";

    private final World world;
    private final Map<ClusterName, Map<String, Map<DatacenterName, Integer>>> replicas = new TreeMap<>();

    Keyspaces(World world) {
        this.world = world;
    }

    /** A new cluster takes the name of a deleted one. */
    void forget(ClusterName cluster) {
        replicas.remove(cluster);
    }

    /** A node of an empty ring has all rows, because there are none; in one that is restored it has to import them. */
    void startEmpty(SimNode node) {
        if (world.restores().isRestored(node)) {
            addReplicas(node.cluster(), TRIPS, node.datacenter());
        } else {
            create(node.cluster(), TRIPS, node.datacenter());
            node.addRows(TRIPS);
        }
    }

    public void create(ClusterName cluster, String keyspace, DatacenterName datacenter) {
        addReplicas(cluster, keyspace, datacenter);
        members(cluster, datacenter).forEach(n -> n.addRows(keyspace));
    }

    /** The datacenter receives new writes from now on; existing rows arrive only by a rebuild. */
    public void addReplicas(ClusterName cluster, String keyspace, DatacenterName datacenter) {
        replicas.computeIfAbsent(cluster, c -> new TreeMap<>())
                .computeIfAbsent(keyspace, k -> new TreeMap<>())
                .put(datacenter, REPLICAS);
    }

    public void removeReplicas(ClusterName cluster, String keyspace, DatacenterName datacenter) {
        Objects.requireNonNull(of(cluster).get(keyspace), "only a listed keyspace loses replicas")
                .remove(datacenter);
        members(cluster, datacenter).forEach(n -> n.dropRows(keyspace));
    }

    public void drop(ClusterName cluster, String keyspace) {
        of(cluster).remove(keyspace);
        world.ledgers().dropped(cluster, keyspace);
        world.nodesOf(cluster).forEach(n -> n.dropRows(keyspace));
    }

    /** The datacenters with replicas of the keyspace; empty if it does not exist. */
    public List<DatacenterName> datacentersOf(ClusterName cluster, String keyspace) {
        return List.copyOf(of(cluster).getOrDefault(keyspace, Map.of()).keySet());
    }

    /** The highest replication factor in the datacenter, which is also the lowest number of nodes that it needs. */
    public int maxReplicas(ClusterName cluster, DatacenterName datacenter) {
        return of(cluster).values().stream()
                .mapToInt(r -> r.getOrDefault(datacenter, 0))
                .max()
                .orElse(0);
    }

    /**
     * Like the companion's task: as many replicas as elsewhere, but at most this number of nodes. A keyspace with
     * replicas nowhere else stays unchanged.
     *
     * @param most the keyspaces after which it breaks off
     */
    void replicate(SimNode node, Map<String, String> args, int most) {
        DatacenterName datacenter = new DatacenterName(arg(args, "datacenter"));
        ClusterName cluster = node.cluster();
        for (String keyspace : of(cluster).keySet().stream().limit(most).toList()) {
            Map<DatacenterName, Integer> current =
                    Objects.requireNonNull(of(cluster).get(keyspace), "the keyspace is listed");
            int nodes = Integer.parseInt(arg(args, "nodes"));
            int replicas =
                    current.values().stream().mapToInt(Integer::intValue).max().orElse(REPLICAS);
            if (nodes > 0) {
                current.putIfAbsent(datacenter, Math.min(replicas, nodes));
            } else if (current.size() > 1 && current.containsKey(datacenter)) {
                world.listener().droppingReplicas(cluster, keyspace, datacenter);
                removeReplicas(cluster, keyspace, datacenter);
            }
        }
    }

    /**
     * A joining node streams from the replicas beside it; if one of them lacks rows, the joining node may lack them
     * too.
     */
    void stream(SimNode joining) {
        ClusterName cluster = joining.cluster();
        for (String keyspace : keyspacesIn(cluster, joining.datacenter())) {
            Stream<SimNode> beside = members(cluster, joining.datacenter()).filter(n -> n != joining);
            if (haveRows(beside, keyspace) || haveRowsElsewhere(cluster, keyspace, joining)) {
                joining.addRows(keyspace);
            }
        }
    }

    private boolean haveRowsElsewhere(ClusterName cluster, String keyspace, SimNode node) {
        return serving(members(cluster, node.datacenter()).filter(n -> n != node))
                        .isEmpty()
                && datacentersOf(cluster, keyspace).stream()
                        .filter(d -> !d.equals(node.datacenter()))
                        .anyMatch(d -> haveRows(members(cluster, d), keyspace));
    }

    /** Returns false if no source is reachable. */
    boolean rebuild(SimNode node, Map<String, String> args) {
        DatacenterName from = new DatacenterName(arg(args, "from"));
        ClusterName cluster = node.cluster();
        List<SimNode> sources = serving(members(cluster, from));
        if (sources.isEmpty() || sources.stream().noneMatch(s -> world.isConnected(node, s))) {
            return false;
        }
        String named = args.getOrDefault("keyspaces", "");
        keyspacesIn(cluster, node.datacenter()).stream()
                .filter(k -> named.isEmpty() || Arrays.asList(named.split(",")).contains(k))
                .filter(k -> datacentersOf(cluster, k).contains(from) && haveRows(sources.stream(), k))
                .forEach(node::addRows);
        return true;
    }

    /** Whether each keyspace of the node is elsewhere too, and streamed to all members there. */
    boolean stay(SimNode leaving) {
        ClusterName cluster = leaving.cluster();
        return keyspacesIn(cluster, leaving.datacenter()).stream().allMatch(k -> {
            List<DatacenterName> elsewhere = datacentersOf(cluster, k).stream()
                    .filter(d -> !d.equals(leaving.datacenter()))
                    .toList();
            return !elsewhere.isEmpty()
                    && elsewhere.stream()
                            .allMatch(d -> missingRows(cluster, k, d).isEmpty());
        });
    }

    /** The first replica of the cluster that lacks rows. */
    public Optional<String> missingRows(ClusterName cluster) {
        return of(cluster).keySet().stream()
                .flatMap(k -> datacentersOf(cluster, k).stream().flatMap(d -> missingRows(cluster, k, d).stream()))
                .findFirst();
    }

    /** The first member of the datacenter that lacks rows of the keyspace. */
    public Optional<String> missingRows(ClusterName cluster, String keyspace, DatacenterName datacenter) {
        return members(cluster, datacenter)
                .filter(n -> !n.hasRows(keyspace))
                .findFirst()
                .map(n -> n.name() + " lacks rows of " + keyspace);
    }

    List<RingView.KeyspaceSeen> seenBy(SimNode self) {
        Stream<RingView.KeyspaceSeen> keyspaces = of(self.cluster()).entrySet().stream()
                .map(k ->
                        new RingView.KeyspaceSeen(k.getKey(), replication(k.getValue()), repaired(self, k.getValue())));
        return (world.planted() == Mutation.PLANNING_THROWS
                        ? Stream.concat(keyspaces, Stream.of(nameless()))
                        : keyspaces)
                .toList();
    }

    /** What a plan over tables cannot sort. */
    @SuppressWarnings("NullAway")
    private static RingView.KeyspaceSeen nameless() {
        return new RingView.KeyspaceSeen(null, Map.of(), null);
    }

    private Map<String, Integer> replication(Map<DatacenterName, Integer> actual) {
        List<DatacenterName> reported =
                world.planted() == Mutation.SOLE_REPLICAS_IGNORED ? World.DATACENTERS : List.copyOf(actual.keySet());
        return reported.stream()
                .collect(Collectors.toMap(DatacenterName::value, d -> actual.getOrDefault(d, REPLICAS)));
    }

    private static RingView.@Nullable Repaired repaired(SimNode self, Map<DatacenterName, Integer> actual) {
        return actual.containsKey(self.datacenter())
                ? new RingView.Repaired(self.repairedAt() == null ? 0 : 1, self.repairedAt())
                : null;
    }

    /** The number of replicas in each datacenter, by keyspace. */
    Map<String, Map<DatacenterName, Integer>> of(ClusterName cluster) {
        return replicas.getOrDefault(cluster, Map.of());
    }

    private List<String> keyspacesIn(ClusterName cluster, DatacenterName datacenter) {
        return of(cluster).keySet().stream()
                .filter(k -> datacentersOf(cluster, k).contains(datacenter))
                .toList();
    }

    private Stream<SimNode> members(ClusterName cluster, DatacenterName datacenter) {
        return world.members(cluster).filter(n -> n.datacenter().equals(datacenter));
    }

    private static List<SimNode> serving(Stream<SimNode> nodes) {
        return nodes.filter(n -> n.mode() == OperatingMode.NORMAL).toList();
    }

    private static boolean haveRows(Stream<SimNode> nodes, String keyspace) {
        List<SimNode> sources = serving(nodes);
        return !sources.isEmpty() && sources.stream().allMatch(n -> n.hasRows(keyspace));
    }

    private static String arg(Map<String, String> args, String name) {
        return Objects.requireNonNull(args.get(name), name);
    }
}
