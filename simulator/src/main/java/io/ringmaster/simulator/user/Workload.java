package io.ringmaster.simulator.user;

import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.operation.Delete;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.RestoreSource;
import io.ringmaster.simulator.datacenter.ClusterViews;
import io.ringmaster.simulator.datacenter.Datacenter;
import io.ringmaster.simulator.datacenter.Datacenters;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.Declarations;
import io.ringmaster.simulator.world.Keyspaces;
import io.ringmaster.simulator.world.SimDaemon;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Map;

/** Users who declare, change, operate and delete clusters at the servers of all datacenters. */
public final class Workload {
    public static final List<ClusterName> CLUSTERS = List.of(new ClusterName("rides"), new ClusterName("eats"));
    static final int MAX_NODES = 5;
    private static final double RESTORED = 0.35;
    private static final double WITH_ROLES = 0.5;
    private static final double WITH_TLS = 0.4;

    private final World world;
    private final Datacenters datacenters;
    private final UserRequests requests;
    private final DatacenterMoves datacenterMoves;
    private final SeededRandom random;
    private final Specs specs;
    private final RandomBackups backups;
    private final Moves moves;
    private boolean stopped;

    /** Whether clusters join and leave datacenters, and where they start. */
    public enum Moves {
        NONE,
        FROM_ONE_DATACENTER,
        FROM_ALL_DATACENTERS
    }

    /** What specs have. */
    public enum Specs {
        PLAIN,
        /** The preset of production and a schedule of backups, each by chance. */
        OF_PRODUCTION,
        /** Also TLS, roles, and backups that clusters start from. */
        FULL
    }

    public Workload(World world, Datacenters datacenters, UserRequests requests, Moves moves, Specs specs) {
        this.specs = specs;
        this.backups = new RandomBackups(world, world.random());
        this.world = world;
        this.datacenters = datacenters;
        this.requests = requests;
        this.datacenterMoves = new DatacenterMoves(world, datacenters, requests);
        this.random = world.random();
        this.moves = moves;
    }

    public void start() {
        world.clock().after(500, () -> declare(CLUSTERS.get(0)));
        next();
    }

    private void next() {
        world.clock().after(random.between(2000, 15_000), () -> {
            if (!stopped) {
                act();
                next();
            }
        });
    }

    /** Users stop; the specs that are declared now must be reached. */
    public void stop() {
        stopped = true;
    }

    private void act() {
        ClusterName cluster = random.pick(CLUSTERS);
        if (moves != Moves.NONE && random.chance(0.4)) {
            datacenterMoves.act(cluster);
            return;
        }
        if (!world.removedNodes().deadMembers(cluster).isEmpty() && random.chance(0.2)) {
            replaceSomeNode(cluster);
            return;
        }
        switch (random.between(0, 29)) {
            case 0, 1 -> declare(cluster);
            case 2, 3, 4 ->
                requests.change(cluster, s -> RandomSpecs.with(s, "concurrent_reads", 8 + requests.nextParameter()));
            case 5, 6 -> addNode(cluster);
            case 7 ->
                requests.change(
                        cluster, s -> RandomSpecs.with(s, SimDaemon.REJECTED_PARAMETER, requests.nextParameter()));
            case 8 -> verb(cluster, PlanVerb.PAUSE);
            case 9, 10 -> verb(cluster, PlanVerb.RESUME);
            case 11 -> verb(cluster, PlanVerb.RETRY);
            case 12 -> verb(cluster, PlanVerb.ABORT);
            case 13, 14 -> operate(cluster, "restart");
            case 15 -> operate(cluster, random.chance(0.5) ? "repair" : "compact");
            case 16 -> operate(cluster, "cleanup");
            case 25 -> replaceSomeNode(cluster);
            case 26 -> evacuate(cluster);
            case 17, 18 ->
                requests.change(
                        cluster, s -> RandomSpecs.with(s, SimDaemon.LIVE_PARAMETER, 1 + requests.nextParameter()));
            case 19 -> requests.change(cluster, s -> RandomSpecs.with(s, SimDaemon.LIVE_PARAMETER, 0));
            case 20 -> requests.change(cluster, s -> RandomSpecs.without(s, SimDaemon.LIVE_PARAMETER));
            case 28, 29 -> requests.change(cluster, s -> RandomSpecs.withOtherCpus(s, random));
            case 21, 22, 23, 24 -> requests.change(cluster, this::withOneNodeLess);
            default -> delete(cluster, random.chance(0.5));
        }
    }

    void addNode(ClusterName cluster) {
        requests.change(cluster, this::withOneMoreNode);
    }

    private ClusterSpec withOneMoreNode(ClusterSpec spec) {
        DatacenterSpec datacenter = random.pick(spec.datacenters());
        return RandomSpecs.withNodes(spec, datacenter.name(), Math.min(MAX_NODES, datacenter.nodes() + 1));
    }

    /** The server refuses fewer nodes than replicas. */
    private ClusterSpec withOneNodeLess(ClusterSpec spec) {
        DatacenterSpec datacenter = random.pick(spec.datacenters());
        int minNodes = random.chance(0.2) ? 2 : Math.max(Keyspaces.REPLICAS, datacenter.seeds());
        return RandomSpecs.withNodes(spec, datacenter.name(), Math.max(minNodes, datacenter.nodes() - 1));
    }

    private ClusterSpec created(ClusterName cluster) {
        ClusterSpec spec = RandomSpecs.create(cluster, random);
        return specs == Specs.PLAIN ? spec : RandomSpecs.forProduction(spec, random);
    }

    void declare(ClusterName cluster) {
        requests.ask("declare " + cluster, c -> {
            if (c.view().exists(cluster)) {
                return Answer.<Object>refused(List.of());
            }
            ClusterSpec spec = declared(cluster);
            RestoreSource restore = spec.restore();
            RestoreOrigin backup = restore == null ? null : world.restores().read(restore);
            Declarations declarations = world.declarations();
            boolean before = declarations.isDeclared(cluster);
            boolean accepted = false;
            try {
                Answer<?> answer = UserRequests.apply(c, spec, backup, false);
                accepted = answer instanceof Answer.Accepted<?>;
                return answer;
            } finally {
                // Also if the server died before it answered, or does not know the outcome of its commit.
                if (accepted || (!before && declarations.isDeclared(cluster))) {
                    declarations.declared(cluster);
                }
            }
        });
    }

    private ClusterSpec declared(ClusterName cluster) {
        ClusterSpec spec = first(created(cluster));
        if (specs != Specs.FULL) {
            return spec;
        }
        ClusterSpec secure = random.chance(WITH_TLS) ? RandomSpecs.withTls(spec, random) : spec;
        ClusterSpec full = random.chance(WITH_ROLES) ? RandomRoles.withRoles(secure, random) : secure;
        return random.chance(RESTORED) ? backups.restored(full) : full;
    }

    private ClusterSpec first(ClusterSpec spec) {
        return switch (moves) {
            case NONE -> spec;
            case FROM_ONE_DATACENTER -> RandomSpecs.withOneDatacenter(spec);
            case FROM_ALL_DATACENTERS -> random.chance(0.3) ? RandomSpecs.withDatacentersReversed(spec) : spec;
        };
    }

    /** Returns whether it was accepted. */
    boolean delete(ClusterName cluster, boolean destroy) {
        if (destroy) {
            world.declarations().destroyRequested(cluster);
        }
        return requests.ask("delete " + cluster + (destroy ? " with its data" : ""), c -> c.requests()
                .run("delete", cluster, Map.of(Delete.DESTROY_DATA, Boolean.toString(destroy)), "user", false));
    }

    /** Requests an operation on all nodes, on the nodes of one datacenter or on one node. */
    private void operate(ClusterName cluster, String operation) {
        DatacenterName datacenter = random.pick(World.DATACENTERS);
        Map<String, String> params = random.chance(0.4)
                ? Map.of()
                : random.chance(0.5)
                        ? Map.of("dc", datacenter.value())
                        : Map.of("node", datacenter + "/node-" + random.between(0, 2));
        requests.ask(operation + " " + params + " " + cluster, c -> c.requests()
                .ask(operation, cluster, params, "user", "", false));
    }

    /** The server refuses to replace a node that serves; a node that is down may be replaced like a lost one. */
    private void replaceSomeNode(ClusterName cluster) {
        DatacenterName datacenter = random.pick(World.DATACENTERS);
        List<SimNode> dead = world.removedNodes().deadMembers(cluster);
        NodeId node = dead.isEmpty()
                ? new NodeId(cluster, datacenter, random.between(0, 2))
                : random.pick(dead).id();
        requests.replace(node);
    }

    private void evacuate(ClusterName cluster) {
        Datacenter datacenter = datacenters.get(random.pick(World.DATACENTERS));
        evacuate(
                cluster,
                datacenter,
                random.pick(world.park(datacenter.name()).all()).name());
    }

    /**
     * Evacuates a machine, and uncordons it later.
     *
     * @return whether it was accepted
     */
    boolean evacuate(ClusterName cluster, Datacenter datacenter, MachineName machine) {
        Map<String, String> params = Map.of("machine", datacenter.name() + "/" + machine);
        world.clock().after(60_000, () -> requests.uncordon(datacenter, machine));
        return requests.ask(datacenter, "evacuate " + machine + " " + cluster, c -> c.requests()
                .ask("evacuate", cluster, params, "user", "", false));
    }

    private void verb(ClusterName cluster, PlanVerb verb) {
        requests.ask(verb + " " + cluster, c -> random.any(ClusterViews.openPlans(c.view(), cluster))
                .<Answer<?>>map(p -> c.requests().control(p.id(), verb, null, "user"))
                .orElseGet(() -> Answer.<Object>refused(List.of())));
    }
}
