package io.ringmaster.simulator;

import io.ringmaster.core.policy.AutomaticReplace;
import io.ringmaster.core.policy.ScheduledRepair;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
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
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What must hold of the records of all datacenters at any moment. */
final class RecordInvariants {
    /** So often in a row a plan may be seen without a reason under a leader: its next look may fall to the one after. */
    private static final int LOOKS_WITHOUT_REASON = 10;

    /** In both datacenters together. */
    static final int REPLACEMENTS_AT_ONCE = 1;

    private static final Duration SCHEDULE_PAUSE = Duration.ofMinutes(7);

    private final World world;
    private final Set<RequestId> replacements = new HashSet<>();
    /** Clusters that were complete in a datacenter when it was looked last. */
    private final Set<String> whole = new HashSet<>();

    private final Map<PlanId, Integer> looksWithoutReason = new TreeMap<>();

    RecordInvariants(World world) {
        this.world = world;
    }

    /** @throws Violation of the first that does not hold */
    void check() {
        asksClients();
        schedulesAskOnce();
        replacesFewAndDeadNodesByItself();
        Map<ClusterName, Set<String>> tokens = new TreeMap<>();
        for (DatacenterName datacenter : World.DATACENTERS) {
            Set<String> places = new HashSet<>();
            for (NodeRecord node : world.records(datacenter, NodeRecord.class)) {
                Allocation allocation = node.allocation();
                unique(places, allocation.id().value(), "one-allocation-one-node");
                allocation.ports().all().forEach(p -> unique(places, allocation.address() + ":" + p, "distinct-ports"));
                node.tokens()
                        .forEach(t -> unique(
                                tokens.computeIfAbsent(node.id().cluster(), c -> new HashSet<>()),
                                t,
                                "distinct-tokens"));
            }
            Set<String> open = new HashSet<>();
            for (PlanRecord record : world.records(datacenter, PlanRecord.class)) {
                Plan plan = record.plan();
                if (!plan.status().isOver()) {
                    if (plan.request() == null) {
                        unique(open, plan.cluster().value(), "one-open-plan");
                    }
                    hasReason(world.datacenter(datacenter), plan);
                }
            }
        }
    }

    /** A datacenter begins to leave only while no service is connected there, unless a user forced it. */
    private void asksClients() {
        for (DatacenterName datacenter : World.DATACENTERS) {
            for (ClusterRecord record : world.records(datacenter, ClusterRecord.class)) {
                boolean was = (record.deleting() || record.created())
                        ? whole.add(datacenter + "/" + record.name())
                        : whole.remove(datacenter + "/" + record.name());
                List<SpecRecord> without = world.records(datacenter, SpecRecord.class).stream()
                        .filter(s -> s.cluster().equals(record.name())
                                && s.spec().datacenter(datacenter).isEmpty())
                        .toList();
                // not one that was declared anew under the name of a deleted one, and was never whole
                boolean leaves = was
                        && !record.created()
                        && !record.deleting()
                        && without.stream().anyMatch(s -> s.version() == record.targetSpecVersion());
                boolean forced = without.stream().anyMatch(SpecRecord::forced);
                if (leaves
                        && !forced
                        && world.clients.areThereFor(Invariants.KNOWN_DOWN_MILLIS, record.name(), datacenter)) {
                    throw new Violation(
                            "clients-are-asked", datacenter + " leaves " + record.name() + " under its clients");
                }
            }
        }
    }

    /** A schedule asks once in a while, whatever became of leaders meanwhile. */
    private void schedulesAskOnce() {
        TreeMap<RequestId, Request> asked = new TreeMap<>();
        for (DatacenterName datacenter : World.DATACENTERS) {
            world.records(datacenter, RequestRecord.class).stream()
                    .map(RequestRecord::request)
                    .filter(r -> r.who().equals(ScheduledRepair.WHO))
                    .forEach(r -> asked.put(r.id(), r));
        }
        for (Request request : asked.values()) {
            asked.headMap(request.id()).values().stream()
                    .filter(r -> r.cluster().equals(request.cluster())
                            && Objects.equals(r.incarnation(), request.incarnation()))
                    .filter(r -> Duration.between(r.at(), request.at()).abs().compareTo(SCHEDULE_PAUSE) < 0)
                    .findFirst()
                    .ifPresent(r -> {
                        throw new Violation("schedule-asks-once", r.id() + " and " + request.id() + " are too close");
                    });
        }
    }

    /** What nobody asked to replace: so many at once, and none that serves. */
    private void replacesFewAndDeadNodesByItself() {
        Set<RequestId> open = new TreeSet<>();
        for (DatacenterName datacenter : World.DATACENTERS) {
            for (RequestRecord record : world.records(datacenter, RequestRecord.class)) {
                Request request = record.request();
                if (request.who().equals(AutomaticReplace.WHO)) {
                    if (!record.part().state().isOver()) {
                        open.add(request.id());
                    }
                    if (replacements.add(request.id())) {
                        isDead(request);
                    }
                }
            }
        }
        if (open.size() > REPLACEMENTS_AT_ONCE) {
            throw new Violation("few-replacements", open + " are under way at once");
        }
    }

    private void isDead(Request request) {
        String node = request.cluster() + "/" + request.params().get("node");
        world.nodesOf(request.cluster()).stream()
                .filter(n ->
                        n.allocation.node().value().equals(node) && n.mode == OperatingMode.NORMAL && n.machineUp())
                .findFirst()
                .ifPresent(n -> {
                    throw new Violation("only-the-dead-are-replaced", n.name() + " serves and is to be replaced");
                });
    }

    private void hasReason(Datacenter datacenter, Plan plan) {
        boolean reasoned = plan.status() == PlanStatus.FAILED
                ? plan.problem() != null
                : plan.phases().stream()
                        .flatMap((Phase p) -> p.steps().stream())
                        .filter(s -> !s.status().isOver())
                        .anyMatch(s -> s.reason() != null && s.since() != null);
        boolean waits = plan.status() == PlanStatus.PAUSED;
        if (reasoned || waits) {
            looksWithoutReason.remove(plan.id());
        } else if (datacenter.leader().filter(SimServer::leads).isPresent()
                && looksWithoutReason.merge(plan.id(), 1, Integer::sum) > LOOKS_WITHOUT_REASON) {
            throw new Violation(
                    "every-wait-has-a-reason", "plan " + plan.id() + " is " + plan.status() + " without one");
        }
    }

    private static void unique(Set<String> taken, String key, String invariant) {
        if (!taken.add(key)) {
            throw new Violation(invariant, key + " is there twice");
        }
    }
}
