package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.ledger.Audit;
import io.ringmaster.simulator.ledger.Ledger;
import io.ringmaster.simulator.ledger.RepairTimes;
import io.ringmaster.simulator.ledger.Replica;
import io.ringmaster.simulator.ledger.RingState;
import io.ringmaster.simulator.ledger.Share;
import io.ringmaster.simulator.mutation.Mutation;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The ledger of each cluster, with the nodes of the world as its replicas. A client writes until the cluster is
 * deleted.
 */
public final class Ledgers {
    private static final int WRITE_SECONDS = 2;
    private static final double LOST_HINTS = 0.2;

    private final World world;
    private SeededRandom random = new SeededRandom(0);
    private final Map<ClusterName, Ledger> ledgers = new TreeMap<>();
    private long seconds;

    Ledgers(World world) {
        this.world = world;
    }

    /**
     * Clients come.
     *
     * @param ofClients their random numbers, which must not change the history of the run
     */
    public void admitClients(SeededRandom ofClients) {
        random = ofClients;
    }

    /** A new cluster takes the name of a deleted one. */
    void forget(ClusterName cluster) {
        ledgers.remove(cluster);
    }

    /** Clients write from the moment that a node accepts them, and coordinators deliver hints. Runs every second. */
    public void advance(List<ClusterName> clusters) {
        seconds++;
        for (ClusterName cluster : clusters) {
            if (world.declarations().isDeleting(cluster)) {
                forget(cluster);
            } else if (ledgers.containsKey(cluster)) {
                if (world.nodesOf(cluster).stream().anyMatch(n -> n.replica().keepsHints())) {
                    deliverHints(cluster);
                }
                if (seconds % WRITE_SECONDS == 0) {
                    with(cluster, Ledger::write);
                }
            } else if (world.declarations().hasServed(cluster)) {
                Ledger ledger = new Ledger(random, LOST_HINTS, world.clock(), () -> world.keyspaces()
                        .of(cluster));
                ledger.restored(world.restores().heirs(cluster));
                ledgers.put(cluster, ledger);
            }
        }
    }

    /** The daemon is about to join with the tokens and the rack of its configuration. */
    void joining(SimNode node, NodeTarget target) {
        List<Long> tokens = target.tokens().isEmpty()
                ? List.of(random.nextSeed())
                : target.tokens().stream().map(Long::valueOf).toList();
        node.replica().startsWith(tokens, target.rack());
    }

    /** The node bootstraps, and is no member yet. */
    void bootstraps(SimNode node, Share share) {
        with(node.cluster(), (ledger, ring) -> ledger.bootstraps(node.replica(), share, ring));
    }

    /** The node receives a part of its rows, and is no member yet. Returns false if a source is down. */
    boolean receives(SimNode node, Share share) {
        Ledger ledger = ledgers.get(node.cluster());
        return ledger == null || ledger.receives(node.replica(), share, RingStates.of(world, node.cluster()));
    }

    /** The leaving node streams to the new owners of its ranges. Returns true: they were all up when it started. */
    boolean handedOver(SimNode node, Share share) {
        with(node.cluster(), (ledger, ring) -> ledger.handedOver(node.replica(), share, ring));
        return true;
    }

    /** The node is about to end its membership. */
    void decommissioned(SimNode node) {
        with(node.cluster(), (ledger, ring) -> ledger.decommissioned(node.replica(), ring));
    }

    /** The dead member is about to be removed from the ring. */
    void removed(SimNode dead) {
        with(dead.cluster(), (ledger, ring) -> ledger.removed(dead.replica(), ring));
    }

    /** Another node has joined in the place of the former member. */
    void replaced(SimNode former) {
        with(former.cluster(), (ledger, ring) -> ledger.replaced(former.replica()));
    }

    /** Whether clients still read each row of the cluster after these volumes are lost. */
    boolean survives(ClusterName cluster, List<SimNode> lost) {
        Ledger ledger = ledgers.get(cluster);
        List<Replica> volumes = lost.stream().map(SimNode::replica).toList();
        return ledger == null || ledger.survives(volumes, RingStates.of(world, cluster));
    }

    /** A fault destroys the volume. */
    void volumeLost(SimNode node) {
        with(node.cluster(), (ledger, ring) -> ledger.volumeLost(node.replica(), ring));
        node.replica().destroy();
    }

    void dropped(ClusterName cluster, String keyspace) {
        with(cluster, (ledger, ring) -> ledger.dropped(keyspace, ring));
    }

    /** What the task does with rows, whether or not it fails then. Returns true: that alone breaks no task. */
    boolean taskDone(SimNode node, NodeTask task, Share share) {
        with(node.cluster(), (ledger, ring) -> {
            switch (task.kind()) {
                case REBUILD -> rebuilt(ledger, node, task.args(), share, ring);
                case CLEANUP -> ledger.cleanedUp(node.replica(), task.args(), share, ring);
                case COMPACT, GARBAGE_COLLECT -> {
                    if (share.isAll()) {
                        ledger.compacted(node.replica());
                    }
                }
                default -> {}
            }
        });
        return true;
    }

    /** Whether the node has repaired all ranges of the task; otherwise it waits for the replicas that are down. */
    boolean repaired(SimNode node, NodeTask task, Share share) {
        Ledger ledger = ledgers.get(node.cluster());
        RepairTimes times = world.recordsRepairs() ? RepairTimes.of(task.args(), node.now(), misjudged()) : null;
        return ledger == null
                || ledger.repaired(node.replica(), task.args(), share, RingStates.of(world, node.cluster()), times);
    }

    private RepairTimes.Misjudged misjudged() {
        return switch (world.planted()) {
            case FUTURE_REPAIRS_COUNT -> RepairTimes.Misjudged.FUTURE;
            case REQUEST_KNOWN_BY_TIME -> RepairTimes.Misjudged.LATER;
            default -> RepairTimes.Misjudged.NONE;
        };
    }

    /** Whether the other datacenters of the node's cluster have its partitions. */
    boolean isElsewhereToo(SimNode leaving) {
        Ledger ledger = ledgers.get(leaving.cluster());
        return ledger == null || ledger.isElsewhereToo(leaving.replica(), RingStates.of(world, leaving.cluster()));
    }

    private void rebuilt(Ledger ledger, SimNode node, Map<String, String> args, Share share, RingState ring) {
        if (world.planted() != Mutation.REBUILD_FORGOTTEN) {
            String from = Objects.requireNonNull(args.get("from"), "a rebuild has a source");
            ledger.rebuilt(node.replica(), new DatacenterName(from), args, share, ring);
        }
    }

    void deliverHints(ClusterName cluster) {
        with(cluster, (ledger, ring) -> ledger.deliverHints(ring, (keeper, target) -> isLate(cluster, keeper, target)));
    }

    private boolean isLate(ClusterName cluster, Replica keeper, Replica target) {
        Optional<SimNode> from = nodeOf(cluster, keeper);
        Optional<SimNode> to = nodeOf(cluster, target);
        return from.isPresent() && to.isPresent() && world.ring().keepsHints(from.get(), to.get());
    }

    private Optional<SimNode> nodeOf(ClusterName cluster, Replica replica) {
        return world.nodesOf(cluster).stream()
                .filter(n -> n.replica() == replica)
                .findFirst();
    }

    private void with(ClusterName cluster, BiConsumer<Ledger, RingState> action) {
        Ledger ledger = ledgers.get(cluster);
        if (ledger != null) {
            action.accept(ledger, RingStates.of(world, cluster));
        }
    }

    /** Checks every row of the cluster, which has all its nodes. */
    public Optional<Audit.Result> check(ClusterName cluster) {
        return Optional.ofNullable(ledgers.get(cluster)).map(l -> l.check(RingStates.of(world, cluster)));
    }

    /** An acknowledged write that a client may miss now at the level that acknowledged it. */
    public Optional<String> misread(ClusterName cluster) {
        return Optional.ofNullable(ledgers.get(cluster)).flatMap(l -> l.misread(RingStates.of(world, cluster)));
    }

    /** A row that vanished from the cluster although no fault destroyed its last copy. */
    public Optional<String> vanished(ClusterName cluster) {
        return Optional.ofNullable(ledgers.get(cluster)).flatMap(l -> l.vanished(RingStates.of(world, cluster)));
    }
}
