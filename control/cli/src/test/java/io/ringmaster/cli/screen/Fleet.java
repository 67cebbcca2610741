package io.ringmaster.cli.screen;

import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView.KeyspaceSeen;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.wire.api.BackupState;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Finding;
import io.ringmaster.wire.api.LockState;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.api.NodeStateBuilder;
import io.ringmaster.wire.api.NodeVolume;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A fleet of two datacenters for screens: {@code rides} while it is created, healthy, and in trouble. */
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

    private static final long MIB = 1024 * 1024;

    private Fleet() {}

    static Instant at(double seconds) {
        return T0.plusMillis(Math.round(seconds * 1_000));
    }

    static NodeState node(String dc, int index, OperatingMode mode, String activity) {
        boolean normal = mode == OperatingMode.NORMAL;
        String address = "127.1." + dc.charAt(2) + "." + (index + 1);
        NodeStateBuilder node = NodeStateBuilder.builder()
                .node(new NodeId(RIDES, new DatacenterName(dc), index))
                .rack(new RackName("r" + (index + 1)))
                .machine(new MachineName("machine-" + (index + 1)))
                .storageEndpoint(address + ":7000")
                .cqlEndpoint(address + ":9042")
                .seed(index < 2)
                .joined(normal)
                .mode(mode)
                .activity(activity)
                .since(at(9))
                .stagesMs(normal ? STAGES : Map.of(Stage.OFFER, 100L))
                .specVersion(1L)
                .appliedSpecVersion(1L)
                .exits(0);
        if (normal) {
            node.hostId("6f1d0c1e-0000-4000-8000-00000000000" + index)
                    .releaseVersion("5.0.9")
                    .schemaVersion("54e17321-3f2e-37ca-9b08-d91ba7bdd369")
                    .loadBytes(104_857L)
                    .effectiveOwnership(Map.of("trips", 1.0))
                    .pendingHintsBytes(0L)
                    .seesNormal(6)
                    .keyspaces(List.of(new KeyspaceSeen("trips", Map.of("dc1", 3, "dc2", 3), null)));
        }
        return node.build();
    }

    static NodeState with(NodeState n, Map<String, Double> ownership, List<KeyspaceSeen> keyspaces) {
        return NodeStateBuilder.builder(n)
                .effectiveOwnership(ownership)
                .keyspaces(keyspaces)
                .build();
    }

    static NodeState broken(NodeState n, @Nullable String silence, @Nullable Problem problem) {
        return NodeStateBuilder.builder(n)
                .specVersion(2L)
                .appliedSpecVersion(1L)
                .exits(3)
                .pendingHintsBytes(5_000_000L)
                .silence(silence)
                .problem(problem)
                .volume(new NodeVolume(133 * MIB, 41 * MIB, 4096 * MIB, 102_400 * MIB, 12_288 * MIB))
                .build();
    }

    public static ClusterStatus healthy() {
        Plan done = FleetPlans.plan("dc1", PlanStatus.COMPLETE, null);
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

    /** A restart runs in dc1 and waits in dc2; a repair waits behind it. */
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
                        new LockState(
                                new DatacenterName("dc1"),
                                "restart",
                                restart,
                                LockScope.RING,
                                "anna",
                                first,
                                true,
                                at(27),
                                "plan dc1-9 is running"),
                        new LockState(
                                new DatacenterName("dc2"),
                                "restart",
                                restart,
                                LockScope.RING,
                                "anna",
                                second,
                                false,
                                at(26),
                                "dc1 comes first, since 03:04:32: plan dc1-9 is running"),
                        new LockState(
                                new DatacenterName("dc2"),
                                "repair",
                                repair,
                                LockScope.REPAIR,
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
                "the daemon ended with exit code 137, three times in a minute; it may need more memory than node.memory"
                        + " gives",
                at(30),
                Advice.command("node logs rides/dc1/node-2 --file daemon"));
        Finding silent = new Finding(Finding.Severity.WARNING, "datacenter dc2", "does not answer", null, null);
        return status(
                Condition.DEGRADED,
                dc1,
                nodes("dc2"),
                "connection refused",
                Map.of("54e17321-3f2e", List.of("dc1 node-0"), "99999999-aaaa", List.of("dc1 node-1", "dc2 node-0")),
                List.of(FleetPlans.failed().plans().get(0)),
                List.of(finding, silent),
                List.of());
    }

    private static List<NodeState> nodes(String dc) {
        return IntStream.range(0, 3)
                .mapToObj(i -> node(dc, i, OperatingMode.NORMAL, "serving"))
                .toList();
    }

    /** The spec no longer names dc2, where this plan removes the nodes. */
    public static ClusterStatus leaving(PlanStatus removal) {
        Problem problem = Problem.of(ErrorCode.TASK_FAILED, "rides/dc2/node-0 does not leave");
        return with(
                List.of(
                        healthy().datacenters().get(0),
                        new ClusterStatus.Part(new DatacenterName("dc2"), 0, 0, null, at(44), nodes("dc2"))),
                List.of(
                        FleetPlans.plan("dc1", PlanStatus.COMPLETE, null),
                        FleetPlans.plan("dc2", removal, removal == PlanStatus.FAILED ? problem : null)));
    }

    /** dc2 is lost: its server does not answer, and its nodes were never removed. */
    public static ClusterStatus lost() {
        return with(
                List.of(
                        healthy().datacenters().get(0),
                        new ClusterStatus.Part(
                                new DatacenterName("dc2"), 0, 0, "connection refused", at(44), nodes("dc2"))),
                List.of(FleetPlans.plan("dc1", PlanStatus.COMPLETE, null)));
    }

    /** dc2 has left. */
    public static ClusterStatus alone() {
        return with(
                List.of(healthy().datacenters().get(0)), List.of(FleetPlans.plan("dc1", PlanStatus.COMPLETE, null)));
    }

    /** A delete runs in dc1; the last plan of dc2 is a finished deploy. */
    public static ClusterStatus deleting() {
        Phase deployed = new Phase(
                "deploy",
                Phase.Strategy.SERIAL,
                List.of(FleetPlans.step("dc2 node-0", StepState.Status.DONE, 0, 1.0, "NORMAL")));
        Plan delete = delete("dc1", PlanStatus.RUNNING);
        return with(
                healthy().datacenters(), List.of(delete, FleetPlans.plan("dc2", PlanStatus.COMPLETE, null, deployed)));
    }

    /** A delete whose nodes are gone, and which destroys the volume of an earlier node. */
    public static Plan destroying(PlanStatus status) {
        StepState destroy = FleetPlans.step("destroy eats-dc2-node-0", StepState.Status.RUNNING, 0, null, "destroys");
        return delete("dc2", status, new Phase("destroy", Phase.Strategy.PARALLEL, List.of(destroy)));
    }

    private static Plan delete(String datacenter, PlanStatus status, Phase... phases) {
        return new Plan(
                new PlanId(new DatacenterName(datacenter), 2),
                RIDES,
                "delete",
                Map.of(),
                1,
                "root",
                null,
                T0,
                null,
                status,
                List.of(phases),
                List.of(),
                null,
                null);
    }

    private static ClusterStatus with(List<ClusterStatus.Part> parts, List<Plan> plans) {
        ClusterStatus s = healthy();
        return new ClusterStatus(
                s.cluster(),
                s.at(),
                s.condition(),
                s.specVersion(),
                s.cassandraVersion(),
                s.created(),
                s.nodes(),
                s.normal(),
                s.schemaVersions(),
                parts,
                plans,
                s.contactPoints(),
                s.findings(),
                s.locks(),
                s.repair(),
                s.backup());
    }

    private static ClusterStatus status(
            Condition condition,
            List<NodeState> dc1,
            List<NodeState> dc2,
            @Nullable String silence,
            Map<String, List<String>> schema,
            List<Plan> plans,
            List<Finding> findings,
            List<LockState> locks) {
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
                locks,
                null,
                new BackupState(
                        new BackupState.Schedule("main", "6h", at(3 * 3600), "the last one is old"),
                        new BackupState.Last("20260102T010000Z-3f9c", "main", at(-7445))));
    }
}
