package io.ringmaster.simulator.user;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.simulator.datacenter.ClusterViews;
import io.ringmaster.simulator.datacenter.Datacenter;
import io.ringmaster.simulator.datacenter.Datacenters;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.Keyspaces;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A user who goes each way out again: replaces a node that was replaced, moves one that was moved away from its new
 * machine, removes nodes and datacenters and adds them again, deletes clusters and declares them again, and discards
 * kept volumes. Most requests wait until the cluster is idle, so that the one before is complete.
 */
public final class SecondRounds extends Participant {
    private static final double SAME_NODE = 0.7;

    /** The server refuses while the others still see the node alive, and once another one has its place. */
    private static final int REPLACE_REQUESTS = 3;

    private final World world;
    private final Datacenters datacenters;
    private final Workload workload;
    private final UserRequests requests;
    private final DatacenterMoves datacenterMoves;
    private final Map<ClusterName, NodeId> replaced = new TreeMap<>();
    private final Map<ClusterName, NodeId> moved = new TreeMap<>();
    private final Map<ClusterName, DatacenterName> grown = new TreeMap<>();
    private final Set<String> rounds = new HashSet<>();
    private final Set<ClusterName> deleted = new TreeSet<>();

    public SecondRounds(
            World world, Datacenters datacenters, Workload workload, UserRequests requests, SeededRandom random) {
        super(world.clock(), random, 2000, 10_000);
        this.world = world;
        this.datacenters = datacenters;
        this.workload = workload;
        this.requests = requests;
        this.datacenterMoves = new DatacenterMoves(world, datacenters, requests);
    }

    @Override
    protected void act() {
        ClusterName cluster = random.pick(Workload.CLUSTERS);
        if (!world.declarations().isDeclared(cluster)) {
            workload.declare(cluster);
        } else if (isIdle(cluster)) {
            goOut(cluster);
        } else {
            help(cluster);
        }
    }

    /** Every leader knows the cluster as complete where it has nodes, and has no plan for it. */
    private boolean isIdle(ClusterName cluster) {
        return datacenters.all().stream()
                .allMatch(d -> d.leaderView().filter(v -> isIdle(v, cluster)).isPresent());
    }

    private static boolean isIdle(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        boolean complete = record != null
                && (record.created()
                        || ClusterViews.spec(view, cluster)
                                .filter(s -> s.datacenter(view.datacenter()).isEmpty())
                                .isPresent());
        return complete && ClusterViews.openPlans(view, cluster).isEmpty();
    }

    private void goOut(ClusterName cluster) {
        if (!isEverywhere(cluster) && random.chance(0.5)) {
            leaveOrReturn(cluster);
            return;
        }
        switch (random.between(0, 19)) {
            case 0, 1, 2, 3, 4 -> replace(cluster);
            case 5, 6, 7, 8, 9, 10 -> move(cluster);
            case 11, 12, 13 -> resize(cluster);
            case 14, 15 -> leaveOrReturn(cluster);
            case 16, 17, 18 -> discard(cluster);
            default -> delete(cluster);
        }
    }

    private void delete(ClusterName cluster) {
        if (workload.delete(cluster, random.chance(0.7))) {
            round("delete", cluster.value());
        }
    }

    /** Takes the machine of a node down, and has the node replaced. The machine returns later, with its volumes. */
    private void replace(ClusterName cluster) {
        List<SimNode> members = world.members(cluster).toList();
        if (members.isEmpty() || members.stream().anyMatch(n -> n.mode() != OperatingMode.NORMAL)) {
            return;
        }
        SimNode node = same(members, replaced.get(cluster));
        replaced.put(cluster, node.id());
        takeDown(node.datacenter(), node.allocation().machine());
        AtomicBoolean accepted = new AtomicBoolean();
        for (int i = 0; i < REPLACE_REQUESTS; i++) {
            later(1000, 60_000, () -> {
                if (requests.replace(node.id()) && !accepted.getAndSet(true)) {
                    round("replace", node.id().value());
                }
            });
        }
    }

    private void takeDown(DatacenterName datacenter, MachineName machine) {
        if (datacenters.canLoseContact(datacenter)) {
            datacenters.loseContact(datacenter, machine, true);
        } else {
            datacenters.loseMachine(datacenter, machine);
        }
        later(30_000, 180_000, () -> datacenters.returnMachine(datacenter, machine));
    }

    /** Evacuates the machine of a node: the one that it left last may be the only one with room. */
    private void move(ClusterName cluster) {
        List<SimNode> members =
                world.members(cluster).filter(n -> !n.isReleased()).toList();
        if (!members.isEmpty()) {
            SimNode node = same(members, moved.get(cluster));
            moved.put(cluster, node.id());
            Datacenter datacenter = datacenters.get(node.datacenter());
            if (workload.evacuate(cluster, datacenter, node.allocation().machine())) {
                round("move", node.id().value());
            }
        }
    }

    /** Mostly the node with which the user did the same before. */
    private SimNode same(List<SimNode> nodes, @Nullable NodeId before) {
        return nodes.stream()
                .filter(n -> n.id().equals(before))
                .findFirst()
                .filter(n -> random.chance(SAME_NODE))
                .orElseGet(() -> random.pick(nodes));
    }

    private void resize(ClusterName cluster) {
        DatacenterName shrinks = grown.remove(cluster);
        DatacenterName datacenter = shrinks == null ? random.pick(World.DATACENTERS) : shrinks;
        if (shrinks == null) {
            grown.put(cluster, datacenter);
        }
        if (requests.change(cluster, spec -> withNodes(spec, datacenter, shrinks == null ? 1 : -1))) {
            round(shrinks == null ? "grow" : "shrink", cluster + "/" + datacenter);
        }
    }

    private static ClusterSpec withNodes(ClusterSpec spec, DatacenterName datacenter, int more) {
        return spec.datacenter(datacenter)
                .map(d -> Math.min(Workload.MAX_NODES, Math.max(Keyspaces.REPLICAS, d.nodes() + more)))
                .map(nodes -> RandomSpecs.withNodes(spec, datacenter, nodes))
                .orElse(spec);
    }

    private void leaveOrReturn(ClusterName cluster) {
        boolean everywhere = isEverywhere(cluster);
        boolean accepted = everywhere
                ? datacenterMoves.leave(cluster)
                : requests.change(cluster, spec -> RandomSpecs.withAllDatacenters(spec, random));
        if (accepted) {
            round(everywhere ? "leave" : "return", cluster.value());
        }
    }

    private boolean isEverywhere(ClusterName cluster) {
        return datacenters.all().stream().allMatch(d -> d.leaderView()
                .flatMap(v -> ClusterViews.spec(v, cluster))
                .filter(s -> s.datacenters().size() == World.DATACENTERS.size())
                .isPresent());
    }

    private void discard(ClusterName cluster) {
        Datacenter datacenter = datacenters.get(random.pick(World.DATACENTERS));
        random.any(kept(datacenter, cluster))
                .filter(v -> requests.discard(datacenter, cluster, v.id()))
                .ifPresent(v -> round("discard", cluster.value()));
    }

    private static List<KeptVolume> kept(Datacenter datacenter, ClusterName cluster) {
        return datacenter
                .leaderView()
                .flatMap(v -> Optional.ofNullable(v.clusters().get(cluster)))
                .stream()
                .flatMap(c -> c.volumes().stream())
                .filter(v -> !v.destroyed() && !v.ordered())
                .toList();
    }

    /** Retries what failed, or gives it up; has dead nodes replaced. */
    private void help(ClusterName cluster) {
        random.any(world.removedNodes().deadMembers(cluster)).ifPresent(n -> requests.replace(n.id()));
        for (Datacenter datacenter : datacenters.all()) {
            datacenter.leaderView().ifPresent(v -> ClusterViews.openPlans(v, cluster).stream()
                    .filter(p -> p.status() == PlanStatus.FAILED)
                    .forEach(p -> {
                        PlanVerb verb = random.chance(0.2) ? PlanVerb.ABORT : PlanVerb.RETRY;
                        requests.ask(datacenter, verb + " " + p.id(), c -> c.requests()
                                .control(p.id(), verb, null, "user"));
                    }));
        }
    }

    /** For the reader of the trace: whether a request was accepted before that did the same. */
    private void round(String way, String what) {
        String round = way + " " + what;
        world.trace().add("user", (rounds.add(round) ? "first round: " : "another round: ") + round);
    }

    /** Has every cluster deleted with its data. */
    public void deleteAll() {
        Workload.CLUSTERS.stream()
                .filter(world.declarations()::isDeclared)
                .filter(c -> workload.delete(c, true))
                .forEach(deleted::add);
    }

    /** The clusters that {@link #deleteAll} has deleted. */
    public Set<ClusterName> deleted() {
        return Set.copyOf(deleted);
    }

    /** Orders the destruction of every volume that is listed. */
    public void discardAll() {
        for (Datacenter datacenter : datacenters.all()) {
            for (ClusterName cluster : Workload.CLUSTERS) {
                kept(datacenter, cluster).forEach(v -> requests.discard(datacenter, cluster, v.id()));
            }
        }
    }
}
