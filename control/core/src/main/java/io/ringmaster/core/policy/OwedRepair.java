package io.ringmaster.core.policy;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.lock.Selection;
import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.spec.AutomaticReplacement;
import io.ringmaster.model.spec.RepairSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Requests the repair that a node owes and no plan performs any more, where the spec lets nodes be replaced
 * automatically: until then no other node there is.
 */
public final class OwedRepair {
    /** Nobody watches the load of these repairs. */
    private static final double INTENSITY = 0.5;

    private OwedRepair() {}

    /**
     * The parameters of the repair that this datacenter's server requests now. When machines or a server were away for
     * long, all their nodes owe one.
     *
     * @param maxInProgress the maximum number of these repairs in progress, fleet-wide
     */
    public static Optional<Map<String, String>> dueHere(View view, ClusterName cluster, int maxInProgress) {
        AutomaticReplacement policy =
                view.targetSpec(cluster).map(s -> s.spec().replace()).orElse(null);
        ClusterRecord record = view.clusters().get(cluster);
        if (policy == null
                || record == null
                || record.deleting()
                || !Seeds.created(view, cluster)
                || OperationLock.isStopped(view, cluster)) {
            return Optional.empty();
        }
        Duration pause = Duration.ofMinutes(policy.afterMinutes());
        List<NodeRecord> nodes =
                view.nodesOf(cluster).stream().filter(n -> !n.hasLeft()).toList();
        return nodes.stream()
                .filter(n -> n.owesRepair() && !n.leaving())
                .findFirst()
                .filter(n -> nodes.stream().allMatch(other -> AvailabilityCheck.isUp(view, other)))
                .filter(n -> OperationLock.specAtWork(view, cluster, false).isEmpty())
                .filter(n -> OperationLock.known(view, cluster).stream().allMatch(r -> isOver(view, r, pause)))
                // last, because it looks at the requests of the whole fleet
                .filter(n ->
                        AutomaticReplace.unfinished(view, OwedRepair::isOwn).count() < maxInProgress)
                .map(n -> params(view, n));
    }

    private static Map<String, String> params(View view, NodeRecord node) {
        double intensity = view.targetSpec(node.cluster())
                .map(s -> s.spec().repair())
                .map(RepairSchedule::intensity)
                .orElse(INTENSITY);
        return Map.of(
                Selection.NODE,
                node.id().datacenter() + "/" + node.id().shortName(),
                Repair.INTENSITY,
                Double.toString(intensity));
    }

    /**
     * Any operation may repair at its end. One that a repair does not wait for is awaited only while its plan here
     * runs, not when it waits for a person. An own request that was refused or failed is repeated after a pause.
     */
    private static boolean isOver(View view, Request request, Duration pause) {
        Instant again = isOwn(request) ? request.at().plus(pause) : Instant.MIN;
        boolean works =
                switch (request.lockScope()) {
                    case BACKUP -> false;
                    case NODES -> runsHere(view, request);
                    case MEND, RING, REPAIR ->
                        OperationLock.unfinished(view, request, false).isPresent();
                };
        return !works && !again.isAfter(view.now());
    }

    private static boolean runsHere(View view, Request request) {
        return view.plans().values().stream()
                .anyMatch(p -> request.id().equals(p.request()) && p.status() == PlanStatus.RUNNING);
    }

    private static boolean isOwn(Request request) {
        return request.who().equals(AutomaticReplace.WHO) && request.operation().equals(Repair.NAME);
    }
}
