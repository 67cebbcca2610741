package io.ringmaster.cli.screen;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.MachineNeed;
import io.ringmaster.model.fleet.MachineShape;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.fleet.SharingEstimate;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.request.Claim;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Finding;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.MachineState;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.api.Turn;
import io.ringmaster.wire.api.Unanswered;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A fleet of two datacenters to draw: {@code rides} while it is made, whole, and in trouble. */
public final class Fleet {
    public static final Instant T0 = Instant.parse("2026-01-02T03:04:05Z");
    static final ClusterName RIDES = new ClusterName("rides");
    private static final Map<Stage, Long> STAGES = Map.of(
            Stage.OFFER,
            100L,
            Stage.LAUNCH,
            200L,
            Stage.BINARIES,
            60L,
            Stage.EXECUTOR,
            640L,
            Stage.DAEMON,
            3_400L,
            Stage.JOINED,
            3_510L);

    private Fleet() {}

    static Instant at(double seconds) {
        return T0.plusMillis(Math.round(seconds * 1_000));
    }

    static NodeState node(String dc, int index, OperatingMode mode, String activity) {
        boolean normal = mode == OperatingMode.NORMAL;
        String address = "127.1." + dc.charAt(2) + "." + (index + 1);
        return new NodeState(
                new NodeId(RIDES, new DatacenterName(dc), index),
                new RackName("r" + (index + 1)),
                new MachineName("machine-" + (index + 1)),
                address + ":7000",
                address + ":9042",
                index < 2,
                normal,
                mode,
                activity,
                at(9),
                normal ? STAGES : Map.of(Stage.OFFER, 100L),
                1L,
                1L,
                0,
                normal ? "5.0.9" : null,
                normal ? "54e17321-3f2e-37ca-9b08-d91ba7bdd369" : null,
                normal ? 104_857L : null,
                normal ? 1 / 3.0 : null,
                normal ? 0L : null,
                normal ? 6 : null,
                List.of(),
                null,
                null,
                null,
                Map.of());
    }

    static NodeState broken(NodeState n, @Nullable String silence, @Nullable Problem problem) {
        return new NodeState(
                n.node(),
                n.rack(),
                n.machine(),
                n.storageEndpoint(),
                n.cqlEndpoint(),
                n.seed(),
                n.joined(),
                n.mode(),
                n.activity(),
                n.since(),
                n.stagesMs(),
                2L,
                1L,
                3,
                n.releaseVersion(),
                n.schemaVersion(),
                n.loadBytes(),
                n.ownership(),
                5_000_000L,
                n.seesNormal(),
                n.keyspaces(),
                silence,
                problem,
                null,
                Map.of());
    }

    static StepState step(
            String name, StepState.Status status, double from, @Nullable Double to, @Nullable String reason) {
        return step("deploy-node", name, status, from, to, reason);
    }

    static StepState step(
            String type,
            String name,
            StepState.Status status,
            double from,
            @Nullable Double to,
            @Nullable String reason) {
        return new StepState(
                name,
                type,
                Map.of(),
                Map.of(),
                status,
                status == StepState.Status.PENDING ? null : at(from),
                to == null ? null : at(to),
                reason,
                reason == null ? null : at(from + 1),
                null);
    }

    static Plan plan(String dc, PlanStatus status, @Nullable Problem problem, Phase... phases) {
        return new Plan(
                new PlanId(new DatacenterName(dc), 1),
                RIDES,
                "deploy",
                Map.of(),
                1,
                "root",
                null,
                T0,
                status == PlanStatus.COMPLETE ? at(18.7) : null,
                status,
                List.of(phases),
                List.of("a new cluster: all nodes start at once"),
                problem,
                null);
    }

    /** In the middle of the first deploy, 14 s after its begin. */
    static PlanPicture deploying() {
        List<Plan> plans = new ArrayList<>();
        for (String dc : List.of("dc1", "dc2")) {
            boolean first = dc.equals("dc1");
            plans.add(plan(
                    dc,
                    PlanStatus.RUNNING,
                    null,
                    new Phase(
                            "reconciliation",
                            Phase.Strategy.SERIAL,
                            List.of(step("reconcile", StepState.Status.DONE, 0, 0.2, "no node runs yet"))),
                    new Phase(
                            "sync-datacenter",
                            Phase.Strategy.SERIAL,
                            List.of(step(
                                    "sync " + (first ? "dc2" : "dc1"),
                                    StepState.Status.DONE,
                                    0.2,
                                    0.6,
                                    first ? "dc1 <-> dc2: 4 seeds" : "dc2 <-> dc1: 4 seeds"))),
                    new Phase(
                            "deploy",
                            Phase.Strategy.PARALLEL,
                            List.of(
                                    step(
                                            dc + " node-0",
                                            first ? StepState.Status.DONE : StepState.Status.RUNNING,
                                            0.6,
                                            first ? 8.5 : null,
                                            "daemon up, reading system tables"),
                                    step(
                                            dc + " node-1",
                                            StepState.Status.WAITING,
                                            0.6,
                                            null,
                                            "schema agreement with dc2 node-1"),
                                    step(dc + " node-2", StepState.Status.RUNNING, 0.6, null, "the executor starts"))),
                    new Phase(
                            "verification",
                            Phase.Strategy.SERIAL,
                            List.of(step("verify ring", StepState.Status.PENDING, 0, null, null)))));
        }
        Map<NodeId, NodeState> nodes = new java.util.HashMap<>();
        for (String dc : List.of("dc1", "dc2")) {
            OperatingMode zero = dc.equals("dc1") ? OperatingMode.NORMAL : OperatingMode.STARTING;
            for (NodeState n : List.of(
                    node(dc, 0, zero, ""),
                    node(dc, 1, OperatingMode.JOINING, ""),
                    node(dc, 2, OperatingMode.LAUNCHED, ""))) {
                nodes.put(n.node(), n);
            }
        }
        return new PlanPicture(plans, nodes, at(14));
    }

    static PlanPicture failed() {
        Problem problem = new Problem(
                ErrorCode.CONFIGURATION_REJECTED,
                "cassandra_yaml.concurrent_reads",
                "Cassandra refused the configuration: Invalid yaml: concurrent_reads must be positive, but was -5",
                "apply a spec with another value; version 1 was put back on dc1 node-0");
        StepState bad = new StepState(
                "dc1 node-0",
                "any",
                Map.of(),
                Map.of(),
                StepState.Status.FAILED,
                at(1),
                at(5),
                "put back",
                at(5),
                problem);
        Plan plan = plan(
                "dc1",
                PlanStatus.FAILED,
                problem,
                new Phase(
                        "reconfigure",
                        Phase.Strategy.SERIAL,
                        List.of(bad, step("dc1 node-1", StepState.Status.PENDING, 0, null, null))));
        NodeState n = node("dc1", 0, OperatingMode.NORMAL, "");
        return new PlanPicture(List.of(plan), Map.of(n.node(), n), at(14));
    }

    public static ClusterStatus healthy() {
        Plan done = plan("dc1", PlanStatus.COMPLETE, null);
        return status(
                Condition.HEALTHY,
                nodes("dc1"),
                nodes("dc2"),
                null,
                Map.of("54e17321-3f2e", List.of("all")),
                List.of(done),
                List.of(),
                List.of());
    }

    /** A restart runs in dc1, the same waits in dc2, and a repair behind it. */
    static ClusterStatus busy() {
        RequestId restart = new RequestId(new DatacenterName("dc1"), 7);
        RequestId repair = new RequestId(new DatacenterName("dc2"), 8);
        PlanId first = new PlanId(new DatacenterName("dc1"), 9);
        PlanId second = new PlanId(new DatacenterName("dc2"), 4);
        return status(
                Condition.CHANGING,
                nodes("dc1"),
                nodes("dc2"),
                null,
                Map.of("54e17321-3f2e", List.of("all")),
                List.of(),
                List.of(),
                List.of(
                        new Turn(
                                new DatacenterName("dc1"),
                                "restart",
                                restart,
                                Claim.RING,
                                "anna",
                                first,
                                true,
                                at(27),
                                "plan dc1-9 is running"),
                        new Turn(
                                new DatacenterName("dc2"),
                                "restart",
                                restart,
                                Claim.RING,
                                "anna",
                                second,
                                false,
                                at(26),
                                "it is the turn of dc1, since 03:04:32: plan dc1-9 is running"),
                        new Turn(
                                new DatacenterName("dc2"),
                                "repair",
                                repair,
                                Claim.REPAIR,
                                "schedule",
                                null,
                                false,
                                at(60),
                                "waits for restart dc1-r7 (asked by anna) in dc1, since 03:04:32: plan dc1-9 is"
                                        + " running")));
    }

    static ClusterStatus troubled() {
        List<NodeState> dc1 = new ArrayList<>(nodes("dc1"));
        NodeState down = node("dc1", 2, OperatingMode.DOWN, "restarts in 4 s");
        dc1.set(1, broken(dc1.get(1), "the executor does not answer", null));
        dc1.set(
                2,
                broken(
                        down,
                        null,
                        Problem.of(
                                ErrorCode.DAEMON_FAILED,
                                "the daemon ended with exit code 137, three times in a minute")));
        Finding finding = new Finding(
                Finding.Severity.ERROR,
                "rides/dc1/node-2",
                "the daemon ended with exit code 137, three times in a minute; it may need more memory than node.memory gives",
                at(30),
                "ringmaster node logs rides/dc1/node-2 --file daemon");
        Finding silent = new Finding(Finding.Severity.WARNING, "datacenter dc2", "does not answer", null, null);
        return status(
                Condition.DEGRADED,
                dc1,
                nodes("dc2"),
                "connection refused",
                Map.of("54e17321-3f2e", List.of("dc1 node-0"), "99999999-aaaa", List.of("dc1 node-1", "dc2 node-0")),
                List.of(failed().plans().get(0)),
                List.of(finding, silent),
                List.of());
    }

    private static List<NodeState> nodes(String dc) {
        return IntStream.range(0, 3)
                .mapToObj(i -> node(dc, i, OperatingMode.NORMAL, "serving"))
                .toList();
    }

    private static ClusterStatus status(
            Condition condition,
            List<NodeState> dc1,
            List<NodeState> dc2,
            @Nullable String silence,
            Map<String, List<String>> schema,
            List<Plan> plans,
            List<Finding> findings,
            List<Turn> turns) {
        int normal =
                (int) dc1.stream().filter(n -> n.mode() == OperatingMode.NORMAL).count() + 3;
        return new ClusterStatus(
                RIDES,
                at(69),
                condition,
                1,
                "5.0.9",
                true,
                6,
                normal,
                schema,
                List.of(
                        new ClusterStatus.Part(new DatacenterName("dc1"), 3, 1, null, at(69), dc1),
                        new ClusterStatus.Part(new DatacenterName("dc2"), 3, 1, silence, at(44), dc2)),
                plans,
                List.of("127.1.1.1:9042", "127.1.2.1:9042"),
                findings,
                turns,
                null);
    }

    /** A datacenter where sharing pays, one where it does not, and one that is silent. */
    public static FleetList<SharingEstimate> sharing() {
        var shape = new MachineShape(16_000, 64L << 30, 2L << 40, new PortRange(7000, 9999));
        var racks = List.of(new RackName("r1"), new RackName("r2"), new RackName("r3"));
        var large = List.of(
                Problem.field(ErrorCode.SPEC_INVALID, "node.cpus", "64.0 fits no machine of dc1, allowed: up to 16.0"));
        var misfits = Stream.of("taxis", "taxis-2", "taxis-3", "taxis-4")
                .map(name -> new SharingEstimate.Misfit(new ClusterName(name), large))
                .toList();
        return new FleetList<>(
                List.of(
                        new SharingEstimate(
                                new DatacenterName("dc1"),
                                List.of(shape),
                                racks,
                                20,
                                90,
                                new MachineNeed(9, 0.747, 0.747, 0.564),
                                new MachineNeed(90, 0.075, 0.075, 0.056),
                                0.9,
                                misfits),
                        new SharingEstimate(
                                new DatacenterName("dc2"),
                                List.of(shape, new MachineShape(1000, 8L << 30, 1L << 40, new PortRange(7000, 9999))),
                                racks,
                                2,
                                5,
                                new MachineNeed(5, 0.6, 0.3, 0.2),
                                new MachineNeed(3, 1, 0.5, 0.33),
                                -0.667,
                                List.of())),
                List.of(new Unanswered(new DatacenterName("dc3"), "connection refused", at(0))));
    }

    public static MachineState machine(int number, boolean cordoned, AllocationState.@Nullable Status status) {
        long gib = 1L << 30;
        Machine machine = new Machine(
                new MachineName("machine-" + number),
                new RackName("r" + number),
                "127.1.1." + number,
                2_000,
                4 * gib,
                20 * gib,
                new PortRange(7000, 9999),
                cordoned);
        List<AllocationState> allocations = status == null
                ? List.of()
                : List.of(new AllocationState(
                        new Allocation(
                                new AllocationId("rides-dc1-node-" + number),
                                new NodeId(RIDES, new DatacenterName("dc1"), number - 1),
                                machine.name(),
                                machine.address(),
                                new NodePorts(7000, 7001, 9042, 9600),
                                new NodeResources(1_000, gib, gib / 4, 4 * gib)),
                        status,
                        T0,
                        null,
                        "limits not in force: cpu, memory (not delegated to this user)"));
        return new MachineState(
                new DatacenterName("dc1"), machine, status == null ? 2_000 : 1_500, 3 * gib, 16 * gib, allocations);
    }
}
