package io.ringmaster.simulator.invariant;

import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.operation.Replace;
import io.ringmaster.core.policy.AutomaticReplace;
import io.ringmaster.core.policy.ScheduledRepair;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.Request;
import io.ringmaster.simulator.datacenter.Datacenter;
import io.ringmaster.simulator.datacenter.Datacenters;
import io.ringmaster.simulator.datacenter.SimServer;
import io.ringmaster.simulator.world.World;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What must always hold for the records of all datacenters. */
public final class RecordInvariants {
    /**
     * How many checks in a row may find a plan without a reason under a leader, which may die before it advances the
     * plan.
     */
    private static final int MAX_CHECKS_WITHOUT_REASON = 10;

    private static final Duration MIN_SCHEDULE_INTERVAL = Duration.ofMinutes(7);

    private final World world;
    private final Datacenters datacenters;
    private final Set<RequestId> replacements = new HashSet<>();
    /** Clusters that were complete in a datacenter at the last check. */
    private final Set<String> complete = new HashSet<>();

    /** Tasks that take the replicas of a leaving datacenter out of the keyspaces. */
    private final Set<String> losingReplicas = new HashSet<>();

    private final Map<PlanId, Integer> checksWithoutReason = new TreeMap<>();
    private final Map<DatacenterName, List<Plan>> openPlans = new TreeMap<>();
    private long checkedCommits = -1;

    public RecordInvariants(World world, Datacenters datacenters) {
        this.world = world;
        this.datacenters = datacenters;
    }

    /** @throws Violation for the first invariant that is broken */
    public void check() {
        long commits = world.commits();
        if (commits != checkedCommits) {
            checkedCommits = commits;
            checkChanged();
        }
        openPlans.forEach((datacenter, plans) -> plans.forEach(p -> checkReason(datacenters.get(datacenter), p)));
    }

    /** What cannot break while no store changes. */
    private void checkChanged() {
        checkClients();
        checkSchedules();
        checkAutomaticReplacements();
        checkNodes();
        for (DatacenterName datacenter : World.DATACENTERS) {
            CaughtExceptions.check(world, datacenters.get(datacenter));
            List<Plan> plans = world.records(datacenter, PlanRecord.class).stream()
                    .map(PlanRecord::plan)
                    .filter(p -> !p.status().isOver())
                    .toList();
            Set<String> open = new HashSet<>();
            plans.stream()
                    .filter(p -> p.request() == null)
                    .forEach(p -> unique(open, p.cluster().value(), "one-open-plan"));
            openPlans.put(datacenter, plans);
        }
    }

    private void checkNodes() {
        Map<ClusterName, Set<String>> tokens = new TreeMap<>();
        for (DatacenterName datacenter : World.DATACENTERS) {
            Set<String> taken = new HashSet<>();
            for (NodeRecord node : world.records(datacenter, NodeRecord.class)) {
                Allocation allocation = node.allocation();
                unique(taken, allocation.id().value(), "one-node-per-allocation");
                if (world.pool(datacenter).kind().hasFixedAddresses()) {
                    allocation
                            .ports()
                            .all()
                            .forEach(p -> unique(taken, allocation.machine() + ":" + p, "distinct-ports"));
                }
                // one that was never launched may have the tokens of another cluster that was declared under its name
                (node.launched() ? node.tokens() : List.<String>of())
                        .forEach(t -> unique(
                                tokens.computeIfAbsent(node.id().cluster(), c -> new HashSet<>()),
                                t,
                                "distinct-tokens"));
            }
        }
    }

    /**
     * A datacenter starts to leave, and later to lose its replicas, only while no client is connected to it, unless a
     * user forced it.
     */
    private void checkClients() {
        for (DatacenterName datacenter : World.DATACENTERS) {
            for (ClusterRecord record : world.records(datacenter, ClusterRecord.class)) {
                boolean losesReplicas = world.records(datacenter, NodeRecord.class).stream()
                        .filter(n -> n.cluster().equals(record.name()))
                        .flatMap(n -> Stream.ofNullable(n.task()))
                        .filter(t ->
                                t.kind() == NodeTask.Kind.REPLICATE && t.args().containsValue("0"))
                        .anyMatch(t -> losingReplicas.add(datacenter + "/" + record.name() + "/" + t.id()));
                boolean wasComplete = (record.deleting() || record.created())
                        ? complete.add(datacenter + "/" + record.name())
                        : complete.remove(datacenter + "/" + record.name());
                List<SpecRecord> without = world.records(datacenter, SpecRecord.class).stream()
                        .filter(s -> s.cluster().equals(record.name())
                                && s.spec().datacenter(datacenter).isEmpty())
                        .toList();
                // A cluster that was declared under the name of a deleted one was never complete.
                boolean leaves = wasComplete
                        && !record.created()
                        && !record.deleting()
                        && without.stream().anyMatch(s -> s.version() == record.targetSpecVersion());
                boolean forced = without.stream().anyMatch(SpecRecord::forced);
                if ((leaves || losesReplicas)
                        && !forced
                        && world.clients().areConnectedFor(WorldInvariants.KNOWN_MILLIS, record.name(), datacenter)) {
                    throw new Violation(
                            "no-connected-clients",
                            datacenter + " leaves " + record.name() + " while clients are connected");
                }
            }
        }
    }

    /** A schedule requests one repair per interval, even if the leader changes. */
    private void checkSchedules() {
        TreeMap<RequestId, Request> asked = new TreeMap<>();
        for (DatacenterName datacenter : World.DATACENTERS) {
            world.records(datacenter, RequestRecord.class).stream()
                    .map(RequestRecord::request)
                    .filter(r ->
                            r.who().equals(ScheduledRepair.WHO) && r.operation().equals(Repair.NAME))
                    .forEach(r -> asked.put(r.id(), r));
        }
        for (Request request : asked.values()) {
            asked.headMap(request.id()).values().stream()
                    .filter(r -> r.cluster().equals(request.cluster())
                            && Objects.equals(r.incarnation(), request.incarnation()))
                    .filter(r -> Duration.between(r.at(), request.at()).abs().compareTo(MIN_SCHEDULE_INTERVAL) < 0)
                    .findFirst()
                    .ifPresent(r -> {
                        throw new Violation(
                                "one-repair-per-interval",
                                r.id() + " and " + request.id() + " are less than " + MIN_SCHEDULE_INTERVAL.toMinutes()
                                        + " min apart");
                    });
        }
    }

    /** Automatic replacements stay below their limit, and replace no node that serves. */
    private void checkAutomaticReplacements() {
        Set<RequestId> open = new TreeSet<>();
        Set<RequestId> joined = new TreeSet<>();
        for (DatacenterName datacenter : World.DATACENTERS) {
            for (RequestRecord record : world.records(datacenter, RequestRecord.class)) {
                Request request = record.request();
                if (request.who().equals(AutomaticReplace.WHO)
                        && request.operation().equals(Replace.NAME)) {
                    if (record.part().repairs()) {
                        joined.add(request.id());
                    } else if (!record.part().state().isOver()) {
                        open.add(request.id());
                    }
                    if (replacements.add(request.id())) {
                        requireDead(request);
                    }
                }
            }
        }
        open.removeAll(joined);
        if (open.size() > SimServer.MAX_AUTOMATIC_REPLACEMENTS) {
            throw new Violation(
                    "automatic-replacements-limited",
                    open + " are in progress, limit " + SimServer.MAX_AUTOMATIC_REPLACEMENTS);
        }
    }

    private void requireDead(Request request) {
        String node = request.cluster() + "/" + request.params().get("node");
        world.nodesOf(request.cluster()).stream()
                .filter(n -> n.id().value().equals(node) && n.mode() == OperatingMode.NORMAL && n.machineUp())
                .filter(n -> !n.daemon().isSuspended())
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation("only-dead-nodes-replaced", n.name() + " serves and would be replaced");
                });
    }

    private void checkReason(Datacenter datacenter, Plan plan) {
        boolean reasoned = plan.status() == PlanStatus.FAILED
                ? plan.problem() != null
                : plan.phases().stream()
                        .flatMap((Phase p) -> p.steps().stream())
                        .filter(s -> !s.status().isOver())
                        .anyMatch(s -> s.reason() != null && s.since() != null);
        boolean paused = plan.status() == PlanStatus.PAUSED;
        if (reasoned || paused) {
            checksWithoutReason.remove(plan.id());
        } else if (datacenter.isLed()
                && checksWithoutReason.merge(plan.id(), 1, Integer::sum) > MAX_CHECKS_WITHOUT_REASON) {
            throw new Violation("wait-has-reason", "plan " + plan.id() + " is " + plan.status() + " without a reason");
        }
    }

    private static void unique(Set<String> taken, String key, String invariant) {
        if (!taken.add(key)) {
            throw new Violation(invariant, key + " exists twice");
        }
    }
}
