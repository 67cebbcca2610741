package io.ringmaster.core.policy;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.lock.Selection;
import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.spec.AutomaticReplacement;
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
    private OwedRepair() {}

    /** The parameters of the repair that this datacenter's server requests now. */
    public static Optional<Map<String, String>> dueHere(View view, ClusterName cluster) {
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
        List<NodeRecord> nodes = view.nodesOf(cluster);
        return nodes.stream()
                .filter(n -> n.owesRepair() && !n.leaving())
                .findFirst()
                .filter(n -> nodes.stream().allMatch(other -> AvailabilityCheck.isUp(view, other)))
                .filter(n -> OperationLock.specAtWork(view, cluster, false).isEmpty())
                .filter(n -> OperationLock.known(view, cluster).stream()
                        .filter(r -> r.lockScope() != LockScope.BACKUP)
                        .allMatch(r -> isOver(view, r, pause)))
                .map(n -> Map.of(Selection.NODE, n.id().datacenter() + "/" + n.id().shortName()));
    }

    /** Any operation but a backup may repair at its end. An own request that was refused or failed is repeated after a pause. */
    private static boolean isOver(View view, Request request, Duration pause) {
        Instant again = request.who().equals(AutomaticReplace.WHO)
                        && request.operation().equals(Repair.NAME)
                ? request.at().plus(pause)
                : Instant.MIN;
        return OperationLock.unfinished(view, request, false).isEmpty() && !again.isAfter(view.now());
    }
}
