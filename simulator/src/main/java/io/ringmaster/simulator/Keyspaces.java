package io.ringmaster.simulator;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The users' keyspaces of each cluster: how many replicas each datacenter keeps, and which nodes have their part of the rows. */
final class Keyspaces {
    static final int REPLICAS = 3;

    /** Made with the cluster, in the datacenters that it begins in. */
    static final String TRIPS = "trips";

    /** Made by a user in one datacenter, who may have it kept in another one, too. */
    static final String LEDGER = "ledger";

    private final World world;
    private final Map<ClusterName, Map<String, Map<DatacenterName, Integer>>> replicas = new TreeMap<>();

    Keyspaces(World world) {
        this.world = world;
    }

    /** Another cluster begins under the name. */
    void forget(ClusterName cluster) {
        replicas.remove(cluster);
    }

    /** A node of an empty ring has all rows that there are. */
    void begins(SimNode node) {
        make(cluster(node), TRIPS, datacenter(node));
        node.rows.add(TRIPS);
    }

    void make(ClusterName cluster, String keyspace, DatacenterName datacenter) {
        give(cluster, keyspace, datacenter);
        members(cluster, datacenter).forEach(n -> n.rows.add(keyspace));
    }

    /** From now on the datacenter keeps it, too; the rows that there are come only by a rebuild. */
    void give(ClusterName cluster, String keyspace, DatacenterName datacenter) {
        replicas.computeIfAbsent(cluster, c -> new TreeMap<>())
                .computeIfAbsent(keyspace, k -> new TreeMap<>())
                .put(datacenter, REPLICAS);
    }

    void take(ClusterName cluster, String keyspace, DatacenterName datacenter) {
        Objects.requireNonNull(of(cluster).get(keyspace), "only a keyspace that is there is taken away")
                .remove(datacenter);
        members(cluster, datacenter).forEach(n -> n.rows.remove(keyspace));
    }

    void drop(ClusterName cluster, String keyspace) {
        of(cluster).remove(keyspace);
        world.nodesOf(cluster).forEach(n -> n.rows.remove(keyspace));
    }

    List<DatacenterName> keepers(ClusterName cluster, String keyspace) {
        return List.copyOf(of(cluster).getOrDefault(keyspace, Map.of()).keySet());
    }

    /** How many nodes of the datacenter must stay. */
    int most(ClusterName cluster, DatacenterName datacenter) {
        return of(cluster).values().stream()
                .mapToInt(r -> r.getOrDefault(datacenter, 0))
                .max()
                .orElse(0);
    }

    /** As the companion does it: a keyspace that is kept nowhere else stays as it is. */
    void replicate(SimNode node, Map<String, String> args) {
        DatacenterName datacenter = new DatacenterName(arg(args, "datacenter"));
        ClusterName cluster = cluster(node);
        for (String keyspace : List.copyOf(of(cluster).keySet())) {
            Map<DatacenterName, Integer> kept =
                    Objects.requireNonNull(of(cluster).get(keyspace), "it is listed");
            if (!arg(args, "nodes").equals("0")) {
                kept.putIfAbsent(datacenter, REPLICAS);
            } else if (kept.size() > 1 && kept.containsKey(datacenter)) {
                world.invariants.drops(cluster, keyspace, datacenter);
                take(cluster, keyspace, datacenter);
            }
        }
    }

    private static String arg(Map<String, String> args, String name) {
        return Objects.requireNonNull(args.get(name), name);
    }

    /** A newcomer streams from the replicas beside it; where one of them lacks rows, so may the newcomer. */
    void stream(SimNode newcomer) {
        ClusterName cluster = cluster(newcomer);
        for (String keyspace : keptIn(cluster, datacenter(newcomer))) {
            Stream<SimNode> beside = members(cluster, datacenter(newcomer)).filter(n -> n != newcomer);
            if (haveRows(beside, keyspace) || haveRowsElsewhere(cluster, keyspace, newcomer)) {
                newcomer.rows.add(keyspace);
            }
        }
    }

    private boolean haveRowsElsewhere(ClusterName cluster, String keyspace, SimNode node) {
        return serving(members(cluster, datacenter(node)).filter(n -> n != node))
                        .isEmpty()
                && keepers(cluster, keyspace).stream()
                        .filter(d -> !d.equals(datacenter(node)))
                        .anyMatch(d -> haveRows(members(cluster, d), keyspace));
    }

    /** @return false if there is nobody to stream from */
    boolean rebuild(SimNode node, Map<String, String> args) {
        DatacenterName from = new DatacenterName(arg(args, "from"));
        ClusterName cluster = cluster(node);
        List<SimNode> sources = serving(members(cluster, from));
        if (sources.isEmpty() || sources.stream().noneMatch(s -> world.connected(node, s))) {
            return false;
        }
        String named = args.getOrDefault("keyspaces", "");
        keptIn(cluster, datacenter(node)).stream()
                .filter(k -> named.isEmpty() || Arrays.asList(named.split(",")).contains(k))
                .filter(k -> keepers(cluster, k).contains(from) && haveRows(sources.stream(), k))
                .forEach(node.rows::add);
        return true;
    }

    /** The first member that lacks rows of which its datacenter keeps replicas. */
    Optional<String> lacking(ClusterName cluster) {
        return of(cluster).keySet().stream()
                .flatMap(k -> keepers(cluster, k).stream().flatMap(d -> lacking(cluster, k, d).stream()))
                .findFirst();
    }

    Optional<String> lacking(ClusterName cluster, String keyspace, DatacenterName datacenter) {
        return members(cluster, datacenter)
                .filter(n -> !n.rows.contains(keyspace))
                .findFirst()
                .map(n -> n.name() + " lacks rows of " + keyspace);
    }

    List<RingView.KeyspaceSeen> seenBy(SimNode self) {
        return of(cluster(self)).entrySet().stream()
                .map(k -> new RingView.KeyspaceSeen(k.getKey(), told(k.getValue()), repaired(self, k.getValue())))
                .toList();
    }

    private Map<String, Integer> told(Map<DatacenterName, Integer> kept) {
        List<DatacenterName> known =
                world.plant == Mutation.STRANDED_IGNORED ? World.DATACENTERS : List.copyOf(kept.keySet());
        return known.stream().collect(Collectors.toMap(DatacenterName::value, d -> REPLICAS));
    }

    private static RingView.@Nullable Repaired repaired(SimNode self, Map<DatacenterName, Integer> kept) {
        return kept.containsKey(datacenter(self))
                ? new RingView.Repaired(self.repairedAt == null ? 0 : 1, self.repairedAt)
                : null;
    }

    private Map<String, Map<DatacenterName, Integer>> of(ClusterName cluster) {
        return replicas.getOrDefault(cluster, Map.of());
    }

    private List<String> keptIn(ClusterName cluster, DatacenterName datacenter) {
        return of(cluster).keySet().stream()
                .filter(k -> keepers(cluster, k).contains(datacenter))
                .toList();
    }

    private Stream<SimNode> members(ClusterName cluster, DatacenterName datacenter) {
        return world.invariants.members(cluster).filter(n -> datacenter(n).equals(datacenter));
    }

    private static List<SimNode> serving(Stream<SimNode> nodes) {
        return nodes.filter(n -> n.mode == OperatingMode.NORMAL).toList();
    }

    private static boolean haveRows(Stream<SimNode> nodes, String keyspace) {
        List<SimNode> sources = serving(nodes);
        return !sources.isEmpty() && sources.stream().allMatch(n -> n.rows.contains(keyspace));
    }

    private static ClusterName cluster(SimNode node) {
        return node.allocation.node().cluster();
    }

    private static DatacenterName datacenter(SimNode node) {
        return node.allocation.node().datacenter();
    }
}
