package io.ringmaster.simulator;

import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.operation.Delete;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.List;
import java.util.Map;

/** Users who declare, change, hold up and delete clusters at the servers of all datacenters. */
final class Workload {
    static final List<ClusterName> CLUSTERS = List.of(new ClusterName("rides"), new ClusterName("eats"));
    private static final int MOST_NODES = 5;

    private final World world;
    private final SimServers servers;
    private final DatacenterMoves regions;
    private final SeededRandom chance;
    private final Moves moves;
    private boolean over;

    /** Whether clusters change their datacenters. */
    enum Moves {
        NO,
        /** They begin in one. */
        FROM_ONE,
        FROM_ALL
    }

    Workload(World world, SimServers servers, Moves moves) {
        this.world = world;
        this.servers = servers;
        this.regions = new DatacenterMoves(world, servers);
        this.chance = world.chance;
        this.moves = moves;
    }

    void start() {
        world.timeline.in(500, () -> declare(CLUSTERS.get(0)));
        next();
    }

    private void next() {
        world.timeline.in(chance.between(2000, 15_000), () -> {
            if (!over) {
                act();
                next();
            }
        });
    }

    /** Users do nothing new; what is declared now is what must come about. */
    void stop() {
        over = true;
    }

    private void act() {
        ClusterName cluster = chance.pick(CLUSTERS);
        if (moves != Moves.NO && chance.one(0.4)) {
            regions.act(cluster);
            return;
        }
        if (!world.dead.of(cluster).isEmpty() && chance.one(0.2)) {
            replaceSomeNode(cluster);
            return;
        }
        switch (chance.between(0, 27)) {
            case 0, 1 -> declare(cluster);
            case 2, 3, 4 ->
                servers.change(cluster, s -> RandomSpecs.with(s, "concurrent_reads", 8 + servers.nextParameter()));
            case 5, 6 -> servers.change(cluster, this::grown);
            case 7 ->
                servers.change(cluster, s -> RandomSpecs.with(s, SimNode.REJECTED_PARAMETER, servers.nextParameter()));
            case 8 -> verb(cluster, PlanVerb.PAUSE);
            case 9, 10 -> verb(cluster, PlanVerb.RESUME);
            case 11 -> verb(cluster, PlanVerb.RETRY);
            case 12 -> verb(cluster, PlanVerb.ABORT);
            case 13, 14 -> operate(cluster, "restart");
            case 15 -> operate(cluster, chance.one(0.5) ? "repair" : "compact");
            case 16 -> operate(cluster, "cleanup");
            case 25 -> replaceSomeNode(cluster);
            case 26 -> evacuate(cluster);
            case 17, 18 ->
                servers.change(cluster, s -> RandomSpecs.with(s, SimNode.LIVE_PARAMETER, 1 + servers.nextParameter()));
            case 19 -> servers.change(cluster, s -> RandomSpecs.with(s, SimNode.LIVE_PARAMETER, 0));
            case 20 -> servers.change(cluster, s -> RandomSpecs.without(s, SimNode.LIVE_PARAMETER));
            case 21, 22, 23, 24 -> servers.change(cluster, this::shrunk);
            default -> delete(cluster);
        }
    }

    private ClusterSpec grown(ClusterSpec spec) {
        DatacenterSpec datacenter = chance.pick(spec.datacenters());
        return RandomSpecs.withNodes(spec, datacenter.name(), Math.min(MOST_NODES, datacenter.nodes() + 1));
    }

    /** Refused when fewer stay than there are replicas. */
    private ClusterSpec shrunk(ClusterSpec spec) {
        DatacenterSpec datacenter = chance.pick(spec.datacenters());
        int least = chance.one(0.2) ? 2 : Math.max(Keyspaces.REPLICAS, datacenter.seeds());
        return RandomSpecs.withNodes(spec, datacenter.name(), Math.max(least, datacenter.nodes() - 1));
    }

    private void declare(ClusterName cluster) {
        servers.ask("declare " + cluster, c -> {
            if (c.view().exists(cluster)) {
                return Answer.<Object>refused(List.of());
            }
            ClusterSpec spec = RandomSpecs.chance(cluster, chance);
            boolean before = world.invariants.isDeclared(cluster);
            boolean accepted = false;
            try {
                Answer<?> answer = SimServers.apply(c, first(spec), false);
                accepted = answer instanceof Answer.Accepted<?>;
                return answer;
            } finally {
                // Also if nobody lived to answer, or did not know what became of it.
                if (accepted || (!before && world.invariants.isDeclared(cluster))) {
                    world.invariants.declared(cluster);
                }
            }
        });
    }

    private ClusterSpec first(ClusterSpec spec) {
        return switch (moves) {
            case NO -> spec;
            case FROM_ONE -> RandomSpecs.withOneDatacenter(spec);
            case FROM_ALL -> chance.one(0.3) ? RandomSpecs.turned(spec) : spec;
        };
    }

    private void delete(ClusterName cluster) {
        boolean destroy = chance.one(0.5);
        if (destroy) {
            world.invariants.destroyAsked(cluster);
        }
        servers.ask("delete " + cluster + (destroy ? " and its data" : ""), c -> c.requests()
                .run("delete", cluster, Map.of(Delete.DESTROY_DATA, Boolean.toString(destroy)), "user", false));
    }

    /** Asks for an operation on all nodes, on those of one datacenter or on one node. */
    private void operate(ClusterName cluster, String operation) {
        DatacenterName datacenter = chance.pick(World.DATACENTERS);
        Map<String, String> params = chance.one(0.4)
                ? Map.of()
                : chance.one(0.5)
                        ? Map.of("dc", datacenter.value())
                        : Map.of("node", datacenter + "/node-" + chance.between(0, 2));
        servers.ask(operation + " " + params + " " + cluster, c -> c.requests()
                .ask(operation, cluster, params, "user", "", false));
    }

    /** Refused for one that is well; one that is merely away may be replaced as well as one that is lost. */
    private void replaceSomeNode(ClusterName cluster) {
        DatacenterName datacenter = chance.pick(World.DATACENTERS);
        List<SimNode> dead = world.dead.of(cluster);
        NodeId node = dead.isEmpty()
                ? new NodeId(cluster, datacenter, chance.between(0, 2))
                : chance.pick(dead).allocation.node();
        servers.replace(node);
    }

    /** Its nodes leave a machine, which can be used again a while later. */
    private void evacuate(ClusterName cluster) {
        Datacenter datacenter = world.datacenter(chance.pick(World.DATACENTERS));
        MachineName machine = chance.pick(world.machines(datacenter.name)).name();
        Map<String, String> params = Map.of("machine", datacenter.name + "/" + machine);
        servers.ask(datacenter, "evacuate " + machine + " " + cluster, c -> c.requests()
                .ask("evacuate", cluster, params, "user", "", false));
        world.timeline.in(60_000, () -> servers.uncordon(datacenter, machine));
    }

    private void verb(ClusterName cluster, PlanVerb verb) {
        servers.ask(verb + " " + cluster, c -> chance.any(SimServers.open(c.view(), cluster))
                .<Answer<?>>map(p -> c.requests().control(p.id(), verb, null, "user"))
                .orElseGet(() -> Answer.<Object>refused(List.of())));
    }
}
