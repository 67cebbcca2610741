package io.ringmaster.simulator;

import io.ringmaster.controller.Answer;
import io.ringmaster.controller.Controller;
import io.ringmaster.core.operation.Delete;
import io.ringmaster.core.spec.SpecText;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Users who declare, change, hold up and delete clusters at the servers of all datacenters. */
final class Workload {
    static final List<ClusterName> CLUSTERS = List.of(new ClusterName("rides"), new ClusterName("eats"));
    private static final int MOST_NODES = 5;

    private final World world;
    private final Chance chance;
    /** Whether clusters begin in one datacenter, and get the others later. */
    private final boolean widening;

    private boolean over;
    private int changes;

    Workload(World world, boolean widening) {
        this.world = world;
        this.chance = world.chance;
        this.widening = widening;
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
        if (widening && chance.one(0.2)) {
            change(cluster, spec -> Specs.withAllDatacenters(spec, chance));
            return;
        }
        switch (chance.between(0, 27)) {
            case 0, 1 -> declare(cluster);
            case 2, 3, 4 -> change(cluster, s -> Specs.with(s, "concurrent_reads", 8 + ++changes));
            case 5, 6 -> change(cluster, this::grown);
            case 7 -> change(cluster, s -> Specs.with(s, SimNode.REJECTED_PARAMETER, ++changes));
            case 8 -> verb(cluster, PlanVerb.PAUSE);
            case 9, 10 -> verb(cluster, PlanVerb.RESUME);
            case 11 -> verb(cluster, PlanVerb.RETRY);
            case 12 -> verb(cluster, PlanVerb.ABORT);
            case 13, 14 -> operate(cluster, "restart");
            case 15 -> operate(cluster, chance.one(0.5) ? "repair" : "compact");
            case 16 -> operate(cluster, "cleanup");
            case 25 -> replaceSomeNode(cluster);
            case 26 -> evacuate(cluster);
            case 17, 18 -> change(cluster, s -> Specs.with(s, SimNode.LIVE_PARAMETER, 1 + ++changes));
            case 19 -> change(cluster, s -> Specs.with(s, SimNode.LIVE_PARAMETER, 0));
            case 20 -> change(cluster, s -> Specs.without(s, SimNode.LIVE_PARAMETER));
            case 21, 22, 23, 24 -> change(cluster, this::shrunk);
            default -> delete(cluster);
        }
    }

    private ClusterSpec grown(ClusterSpec spec) {
        DatacenterSpec datacenter = chance.pick(spec.datacenters());
        return Specs.withNodes(spec, datacenter.name(), Math.min(MOST_NODES, datacenter.nodes() + 1));
    }

    /** Refused when fewer stay than there are replicas. */
    private ClusterSpec shrunk(ClusterSpec spec) {
        DatacenterSpec datacenter = chance.pick(spec.datacenters());
        int least = chance.one(0.2) ? 2 : Math.max(Ring.REPLICAS, datacenter.seeds());
        return Specs.withNodes(spec, datacenter.name(), Math.max(least, datacenter.nodes() - 1));
    }

    private void declare(ClusterName cluster) {
        ask("declare " + cluster, c -> {
            if (c.view().exists(cluster)) {
                return Answer.<Object>refused(List.of());
            }
            ClusterSpec spec = Specs.chance(cluster, chance);
            boolean before = world.invariants.isDeclared(cluster);
            boolean accepted = false;
            try {
                Answer<?> answer = apply(c, widening ? Specs.withOneDatacenter(spec) : spec);
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

    /** Applies a changed spec at any datacenter, if the cluster is known there. */
    void change(ClusterName cluster, Function<ClusterSpec, ClusterSpec> change) {
        ask("change " + cluster, c -> target(c.view(), cluster)
                .<Answer<?>>map(spec -> apply(c, change.apply(spec)))
                .orElseGet(() -> Answer.<Object>refused(List.of())));
    }

    private static Answer<?> apply(Controller controller, ClusterSpec spec) {
        return controller.applySpec(SpecText.write(spec), spec, null, "user", false, false);
    }

    static Optional<ClusterSpec> target(View view, ClusterName cluster) {
        return Optional.ofNullable(view.clusters().get(cluster))
                .filter(c -> !c.deleting())
                .flatMap(c -> view.targetSpec(cluster))
                .map(SpecRecord::spec);
    }

    private void delete(ClusterName cluster) {
        boolean destroy = chance.one(0.5);
        if (destroy) {
            world.invariants.destroyAsked(cluster);
        }
        ask(
                "delete " + cluster + (destroy ? " and its data" : ""),
                c -> c.run("delete", cluster, Map.of(Delete.DESTROY_DATA, Boolean.toString(destroy)), "user", false));
    }

    /** Asks for an operation on all nodes, on those of one datacenter or on one node. */
    private void operate(ClusterName cluster, String operation) {
        DatacenterName datacenter = chance.pick(World.DATACENTERS);
        Map<String, String> params = chance.one(0.4)
                ? Map.of()
                : chance.one(0.5)
                        ? Map.of("dc", datacenter.value())
                        : Map.of("node", datacenter + "/node-" + chance.between(0, 2));
        ask(operation + " " + params + " " + cluster, c -> c.ask(operation, cluster, params, "user", "", false));
    }

    /** Refused for one that is well; one that is merely away may be replaced as well as one that is lost. */
    private void replaceSomeNode(ClusterName cluster) {
        DatacenterName datacenter = chance.pick(World.DATACENTERS);
        List<SimNode> dead = world.dead.of(cluster);
        NodeId node = dead.isEmpty()
                ? new NodeId(cluster, datacenter, chance.between(0, 2))
                : chance.pick(dead).allocation.node();
        replace(node);
    }

    /** Its nodes leave a machine, which can be used again a while later. */
    private void evacuate(ClusterName cluster) {
        Datacenter datacenter = world.datacenters.get(chance.pick(World.DATACENTERS));
        MachineName machine = chance.pick(world.machines(datacenter.name)).name();
        Map<String, String> params = Map.of("machine", datacenter.name + "/" + machine);
        ask(
                datacenter,
                "evacuate " + machine + " " + cluster,
                c -> c.ask("evacuate", cluster, params, "user", "", false));
        world.timeline.in(60_000, () -> uncordon(datacenter, machine));
    }

    private void uncordon(Datacenter datacenter, MachineName machine) {
        ask(datacenter, "uncordon " + machine, c -> c.uncordon(machine, "user"));
    }

    private void replace(NodeId node) {
        Map<String, String> params = Map.of("node", node.datacenter() + "/" + node.shortName());
        ask(
                world.datacenters.get(node.datacenter()),
                "replace " + node,
                c -> c.ask("replace", node.cluster(), params, "user", "", false));
    }

    private void verb(ClusterName cluster, PlanVerb verb) {
        ask(verb + " " + cluster, c -> chance.any(open(c.view(), cluster))
                .<Answer<?>>map(p -> c.control(p.id(), verb, null, "user"))
                .orElseGet(() -> Answer.<Object>refused(List.of())));
    }

    private void ask(String what, Function<Controller, Answer<?>> request) {
        Datacenter datacenter = world.datacenters.get(chance.pick(World.DATACENTERS));
        ask(datacenter, what, request);
    }

    private void ask(Datacenter datacenter, String what, Function<Controller, Answer<?>> request) {
        datacenter.leader().filter(SimServer::leads).ifPresent(s -> {
            Optional<Answer<?>> answer = s.ask(request);
            world.trace.add(
                    "user",
                    what + " at " + datacenter.name + ": "
                            + answer.map(Workload::outcome).orElse("no answer"));
        });
    }

    private static String outcome(Answer<?> answer) {
        return answer instanceof Answer.Refused<?> refused
                ? "refused " + refused.problems().stream().map(p -> p.line()).toList()
                : "accepted";
    }

    private static List<Plan> open(View view, ClusterName cluster) {
        return view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && !p.status().isOver())
                .toList();
    }

    /** What an operator does once the trouble is over: resumes, retries, asks again for what was aborted. */
    void mend() {
        CLUSTERS.stream()
                .flatMap(c -> world.dead.of(c).stream())
                .filter(n -> n.machineUp() || !isReplacedByItself(n.allocation.node()))
                .map(n -> n.allocation.node())
                .toList()
                .forEach(this::replace);
        for (Datacenter datacenter : world.datacenters.values()) {
            datacenter.leader().filter(SimServer::leads).ifPresent(s -> s.view().machines().values().stream()
                    .filter(Machine::cordoned)
                    .forEach(m -> uncordon(datacenter, m.name())));
            for (ClusterName cluster : CLUSTERS) {
                datacenter.leader().filter(SimServer::leads).ifPresent(s -> mend(datacenter, s.view(), cluster));
            }
        }
    }

    private boolean isReplacedByItself(NodeId node) {
        return world.datacenters
                .get(node.datacenter())
                .leader()
                .filter(SimServer::leads)
                .flatMap(s -> target(s.view(), node.cluster()))
                .filter(spec -> spec.replace() != null)
                .isPresent();
    }

    private void mend(Datacenter datacenter, View view, ClusterName cluster) {
        reconcileDeclarations(datacenter, cluster);
        ClusterRecord record = view.clusters().get(cluster);
        List<Plan> open = open(view, cluster);
        for (Plan plan : open) {
            if (plan.status() == PlanStatus.FAILED || plan.status() == PlanStatus.PAUSED) {
                PlanVerb verb = plan.status() == PlanStatus.FAILED ? PlanVerb.RETRY : PlanVerb.RESUME;
                ask(datacenter, verb + " " + plan.id(), c -> c.control(plan.id(), verb, null, "operator"));
            }
        }
        boolean declared = open.stream().anyMatch(p -> p.request() == null);
        if (record != null && !declared && view.exists(cluster)) {
            boolean aborted = record.deleting() || view.settledSpecVersion(cluster) < record.targetSpecVersion();
            if (aborted) {
                String operation = record.deleting() ? "delete" : "deploy";
                Map<String, String> params = record.deleting()
                        ? Map.of(Delete.DESTROY_DATA, Boolean.toString(record.destroyData()))
                        : Map.of();
                ask(datacenter, operation + " " + cluster, c -> c.run(operation, cluster, params, "operator", false));
            }
        }
    }

    /** Two users declared different things while the datacenters were cut off: asks for at least the nodes that are there. */
    private void reconcileDeclarations(Datacenter datacenter, ClusterName cluster) {
        boolean unplanned = datacenter
                .leader()
                .flatMap(s -> s.ask(
                        c -> c.unplanned().stream().anyMatch(u -> u.cluster().equals(cluster))))
                .orElse(false);
        if (unplanned) {
            ask(datacenter, "reconcile " + cluster, c -> target(c.view(), cluster)
                    .<Answer<?>>map(spec -> {
                        ClusterSpec enough = spec;
                        for (DatacenterSpec d : spec.datacenters()) {
                            int there = (int) world.nodesOf(cluster).stream()
                                    .filter(n ->
                                            n.allocation.node().datacenter().equals(d.name()))
                                    .mapToInt(n -> n.allocation.node().index())
                                    .distinct()
                                    .count();
                            enough = Specs.withNodes(enough, d.name(), Math.max(d.nodes(), there));
                        }
                        return apply(c, enough);
                    })
                    .orElseGet(() -> Answer.<Object>refused(List.of())));
        }
    }

    /** Replaces specs that no daemon starts with by good ones: that must always mend a cluster. */
    void replaceBadSpecs() {
        for (ClusterName cluster : CLUSTERS) {
            for (Datacenter datacenter : world.datacenters.values()) {
                boolean bad = datacenter
                        .leader()
                        .filter(SimServer::leads)
                        .flatMap(s -> target(s.view(), cluster))
                        .filter(Specs::isRejected)
                        .isPresent();
                if (bad) {
                    ask(datacenter, "mend " + cluster, c -> target(c.view(), cluster)
                            .<Answer<?>>map(spec -> apply(c, Specs.with(spec, "concurrent_reads", 8 + ++changes)))
                            .orElseGet(() -> Answer.<Object>refused(List.of())));
                    break;
                }
            }
        }
    }
}
