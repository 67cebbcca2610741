package io.ringmaster.ports;

import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanLoad;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.AuditOrigin;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PeerRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.model.record.TokenRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import io.ringmaster.model.spec.Preset;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** One filled-in record of each type, and the values they are made of. */
public final class SampleRecords {
    public static final Instant AT = Instant.parse("2026-01-02T03:04:05.678901Z");
    public static final ClusterName RIDES = new ClusterName("rides");
    public static final DatacenterName DC1 = new DatacenterName("dc1");
    public static final RackName R1 = new RackName("r1");
    public static final NodeId NODE_0 = new NodeId(RIDES, DC1, 0);
    public static final NodeResources RESOURCES = new NodeResources(500, 768L << 20, 256L << 20, 2L << 30);
    public static final JvmSpec JVM = new JvmSpec(JvmSpec.Collector.G1, List.of("-Dx=y"));

    private SampleRecords() {}

    public static Allocation allocation() {
        return new Allocation(
                new AllocationId("rides-dc1-node-0-1"),
                NODE_0,
                new MachineName("machine-1"),
                new NodePorts(7000, 7001, 9042, 9500),
                RESOURCES);
    }

    /** A first target for what runs in the allocation. */
    public static NodeTarget target(Allocation allocation) {
        return new NodeTarget(
                allocation.node(),
                1,
                1,
                true,
                0,
                true,
                false,
                "5.0.9",
                Preset.DEVELOPMENT,
                R1,
                allocation.ports(),
                List.of("-1", "17"),
                null,
                allocation.resources(),
                JVM,
                Map.of("concurrent_reads", 4),
                List.of("http://127.0.0.1:8080"),
                null,
                null);
    }

    public static SpecRecord spec() {
        ClusterSpec spec = new ClusterSpec(
                RIDES,
                "5.0.9",
                Preset.DEVELOPMENT,
                List.of(new DatacenterSpec(DC1, 3, 2, List.of(R1))),
                RESOURCES,
                JVM,
                Map.of("concurrent_reads", 4, "hinted_handoff_enabled", true, "authenticator", "AllowAllAuthenticator"),
                new PlacementSpec(1));
        return new SpecRecord(RIDES, 1, spec, "cluster: rides # ü\n", "alice", DC1, AT, "dc1-1");
    }

    public static PlanRecord plan() {
        StepState step = new StepState(
                "dc1 node-0",
                "deploy-node",
                Map.of("node", "rides/dc1/node-0"),
                Map.of("sent", "1"),
                StepState.Status.WAITING,
                AT,
                null,
                "waits for the executor",
                AT,
                Problem.of(ErrorCode.DAEMON_FAILED, "exit 3", "read the log"));
        return new PlanRecord(new Plan(
                new PlanId(DC1, 1),
                RIDES,
                "deploy",
                Map.of(),
                1,
                "alice",
                null,
                AT,
                null,
                PlanStatus.RUNNING,
                List.of(new Phase("deploy", Phase.Strategy.PARALLEL, List.of(step))),
                List.of("a note"),
                null,
                load()));
    }

    private static PlanLoad load() {
        var period = new PlanLoad.Period(6, 1200, 1, 1.5, 4.0, 9.25, 12.0, "connection_lost: closed");
        return new PlanLoad("a light load", AT, List.of(new PlanLoad.Part(DC1, period, period, period)));
    }

    public static NodeRecord node() {
        return new NodeRecord(
                NODE_0,
                allocation(),
                R1,
                List.of("-1", "17"),
                2,
                1,
                0,
                0,
                true,
                false,
                true,
                AT,
                null,
                null,
                null,
                false,
                false,
                AT,
                null,
                List.of(),
                false,
                null,
                "6f1d7a52-33a5-4d53-9f0e-0c5f4f2c1d11",
                "127.1.1.1:7000",
                null,
                AT,
                864_000,
                2L);
    }

    public static PeerRecord peer() {
        var part = new DatacenterReport.NodePart(
                NODE_0, "127.1.1.1:7000", true, true, OperatingMode.NORMAL, "serving requests");
        var cluster =
                new DatacenterReport.ClusterPart(RIDES, spec(), true, false, false, 1, null, List.of(part), List.of());
        return new PeerRecord(
                new DatacenterReport(
                        new DatacenterName("dc2"), List.of("http://127.0.0.1:8081"), 3, AT, List.of(cluster)),
                AT);
    }

    public static RequestRecord request() {
        var request = new Request(
                new RequestId(DC1, 3),
                RIDES,
                "dc1-1",
                "restart",
                LockScope.RING,
                Map.of("node", "dc1/node-0"),
                "alice",
                "new kernel",
                AT,
                List.of(DC1));
        var part = new RequestPart(RequestPart.State.PLANNED, new PlanId(DC1, 2), AT, "plan dc1-2 is running");
        return new RequestRecord(request, part.overIn(new DatacenterName("dc2")));
    }

    /** The smallest record there is. */
    public static ClusterRecord cluster(String name, long version) {
        return new ClusterRecord(new ClusterName(name), version, false, false, false);
    }

    public static TokenRecord token() {
        return new TokenRecord(
                new TokenId("dc1-x7k2m9qa"),
                "ci",
                Role.OPERATOR,
                new ClusterPattern("team-*"),
                "0123456789abcdef".repeat(4),
                "alice",
                AT,
                AT.plusSeconds(3600),
                null,
                null);
    }

    public static AuthorityRecord authority() {
        return new AuthorityRecord(
                AuthorityName.internode(RIDES, DC1, 1), new CertificatePem("-----BEGIN CERTIFICATE-----"), false);
    }

    private static AuditOrigin origin() {
        return AuditOrigin.of(Principal.localAdmin("alice", "127.0.0.1"));
    }

    public static List<StoredRecord> oneOfEachType() {
        return List.of(
                new ClusterRecord(RIDES, 1, true, false, false),
                spec(),
                node(),
                plan(),
                request(),
                peer(),
                new AuditRecord(1, AT, "alice", "apply rides", "version 1", origin()),
                token(),
                authority(),
                new CordonRecord(new MachineName("Machine_1.example"), "disk fails"));
    }
}
