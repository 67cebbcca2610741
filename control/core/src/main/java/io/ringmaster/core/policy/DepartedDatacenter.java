package io.ringmaster.core.policy;

import io.ringmaster.core.assess.RoleReplicas;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.operation.RoleReplication;
import io.ringmaster.core.plan.Plans;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Requests that a datacenter which has left is taken out of the replication of roles: Cassandra refuses that while it
 * has a member, and afterwards none of its nodes is left to do it. The rule looks only at what is there, so it does not
 * matter how the datacenter left, or what was aborted, forced or lost meanwhile.
 */
public final class DepartedDatacenter {
    /** From the end of a request without effect, such as at a daemon of an earlier release, to the next one. */
    private static final Duration PAUSE = Duration.ofMinutes(2);

    /** Each pause is twice as long as the time between the last two requests, and at most this long. */
    private static final Duration LONGEST_PAUSE = Duration.ofHours(6);

    /** Requests that are farther from each other concern different datacenters, or different mishaps. */
    private static final Duration ONE_OCCASION = Duration.ofHours(12);

    /** Nodes report the replication some seconds after it was altered. */
    private static final Duration REPORTED_WITHIN = Duration.ofSeconds(60);

    private DepartedDatacenter() {}

    /**
     * The datacenter to request it for now. Only the server of the first datacenter does, so that no two alter the
     * keyspace at once, and only while nothing would keep the request from running: one that waits keeps the operation
     * lock.
     */
    public static Optional<String> dueHere(View view, ClusterName cluster) {
        return departed(view, cluster)
                .filter(d -> first(view, cluster).equals(Optional.of(view.datacenter())))
                .filter(d -> !OperationLock.isStopped(view, cluster))
                .filter(d -> OperationLock.specAtWork(view, cluster, false).isEmpty())
                .filter(d -> OperationLock.known(view, cluster).stream()
                        .allMatch(r -> OperationLock.unfinished(view, r, false).isEmpty()))
                .filter(d -> !pausedUntil(view, cluster).isAfter(view.now()));
    }

    /** The datacenter that stays in the replication although a request was to take it out, or none can be made. */
    public static Optional<String> stuck(View view, ClusterName cluster) {
        return departed(view, cluster).filter(d -> first(view, cluster)
                .filter(f -> hasFailed(view, cluster, f) || cannotAsk(view, cluster, f))
                .isPresent());
    }

    /**
     * The datacenter that the replication of roles names, while no spec names it and no node of it is in the ring. A
     * daemon that has started while a member was down may not know the datacenter of that one: it may be any.
     */
    private static Optional<String> departed(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        Optional<ClusterSpec> spec =
                view.targetSpec(cluster).map(SpecRecord::spec).filter(ClusterSpec::requiresLogin);
        if (record == null || record.deleting() || spec.isEmpty() || !Seeds.created(view, cluster)) {
            return Optional.empty();
        }
        Set<String> present = new TreeSet<>();
        spec.get().datacenterNames().forEach(d -> present.add(d.value()));
        view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).stream())
                .flatMap(DepartedDatacenter::seen)
                .forEach(present::add);
        return present.contains("")
                ? Optional.empty()
                : RoleReplicas.reported(view, cluster).stream()
                        .flatMap(replicas -> replicas.keySet().stream())
                        .filter(d -> !d.equals("*") && !present.contains(d))
                        .findFirst();
    }

    /** The datacenters of the members that a node sees. */
    private static Stream<String> seen(NodeStatus status) {
        return status.mode() == OperatingMode.NORMAL && status.ring() != null
                ? status.ring().members().stream().map(p -> p.datacenter())
                : Stream.empty();
    }

    private static Optional<DatacenterName> first(View view, ClusterName cluster) {
        return view.targetSpec(cluster).map(s -> s.spec().datacenterNames().get(0));
    }

    private static Instant pausedUntil(View view, ClusterName cluster) {
        List<Request> asked = asked(view, cluster);
        if (asked.isEmpty()) {
            return Instant.MIN;
        }
        Request last = asked.get(asked.size() - 1);
        Duration pause = PAUSE;
        if (asked.size() > 1) {
            Duration between = Duration.between(asked.get(asked.size() - 2).at(), last.at());
            if (between.compareTo(PAUSE) > 0 && between.compareTo(ONE_OCCASION) < 0) {
                Duration twice = between.multipliedBy(2);
                pause = twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
            }
        }
        return OperationLock.part(view, view.datacenter(), last)
                .map(RequestPart::since)
                .orElse(last.at())
                .plus(pause);
    }

    private static List<Request> asked(View view, ClusterName cluster) {
        return OperationLock.known(view, cluster).stream()
                .filter(r -> r.operation().equals(RoleReplication.NAME))
                .sorted(Comparator.comparing(Request::at))
                .toList();
    }

    /** Whether the last request is over, and nodes have reported the replication since. */
    private static boolean hasFailed(View view, ClusterName cluster, DatacenterName first) {
        List<Request> asked = asked(view, cluster);
        return !asked.isEmpty()
                && OperationLock.part(view, first, asked.get(asked.size() - 1))
                        .filter(p -> p.state().isOver())
                        .map(RequestPart::since)
                        .filter(end -> end.plus(REPORTED_WITHIN).isBefore(view.now())
                                && end.plus(ONE_OCCASION).isAfter(view.now()))
                        .isPresent();
    }

    /** Whether no node of the first datacenter is known to be NORMAL, as another one sees it. */
    private static boolean cannotAsk(View view, ClusterName cluster, DatacenterName first) {
        return !first.equals(view.datacenter())
                && (view.silence(first).isPresent()
                        || view.lastPart(first, cluster).stream()
                                .flatMap(p -> p.nodes().stream())
                                .noneMatch(n -> n.mode() == OperatingMode.NORMAL));
    }

    /** The plan, aborted if it is a failed one of this rule: nobody retries it, and it would keep the lock. */
    public static Plan ended(Plan plan, Instant now) {
        return plan.status() == PlanStatus.FAILED
                        && plan.operation().equals(RoleReplication.NAME)
                        && plan.requestedBy().equals(AutomaticReplace.WHO)
                ? Plans.aborted(plan, now)
                : plan;
    }
}
