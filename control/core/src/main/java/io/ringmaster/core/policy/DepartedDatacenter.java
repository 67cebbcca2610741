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
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Requests that a datacenter which has left is taken out of the replication of roles: Cassandra refuses that while it
 * has a member, and afterwards none of its nodes is left to do it. The rule looks only at what is there, so it does not
 * matter how the datacenter left, or what was aborted, forced or lost meanwhile.
 */
public final class DepartedDatacenter {
    /** After this time a request that ended without effect is repeated. */
    private static final Duration PAUSE = Duration.ofMinutes(2);

    private DepartedDatacenter() {}

    /**
     * The datacenter that the replication of roles names, while no spec names it and no node of it is in the ring. Only
     * the server of the first datacenter requests it, so that no two alter the keyspace at once.
     */
    public static Optional<String> dueHere(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        Optional<ClusterSpec> spec = view.targetSpec(cluster)
                .map(SpecRecord::spec)
                .filter(ClusterSpec::requiresLogin)
                .filter(s -> s.datacenterNames().get(0).equals(view.datacenter()));
        if (record == null || record.deleting() || spec.isEmpty() || !Seeds.created(view, cluster)) {
            return Optional.empty();
        }
        Set<String> named =
                spec.get().datacenterNames().stream().map(DatacenterName::value).collect(Collectors.toSet());
        return RoleReplicas.reported(view, cluster).stream()
                .flatMap(replicas -> replicas.keySet().stream())
                .filter(d -> !d.equals("*") && !named.contains(d))
                .filter(d -> view.nodesOf(cluster).stream()
                        .flatMap(n -> view.status(n.id()).stream())
                        .flatMap(DepartedDatacenter::seen)
                        .noneMatch(d::equals))
                .findFirst()
                .filter(d -> OperationLock.known(view, cluster).stream()
                        .filter(r -> r.operation().equals(RoleReplication.NAME))
                        .noneMatch(r -> r.at().plus(PAUSE).isAfter(view.now())));
    }

    /** The datacenters of the members that a node sees. */
    private static Stream<String> seen(NodeStatus status) {
        return status.mode() == OperatingMode.NORMAL && status.ring() != null
                ? status.ring().members().stream().map(p -> p.datacenter())
                : Stream.empty();
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
