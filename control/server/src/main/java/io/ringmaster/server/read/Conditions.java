package io.ringmaster.server.read;

import io.ringmaster.core.status.LocalClusterStatus;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.api.Condition;
import java.util.List;

/** Derives the {@link Condition} of a cluster. */
final class Conditions {
    private Conditions() {}

    static Condition of(LocalClusterStatus cluster, List<Plan> plans) {
        if (cluster.deleting()) {
            return Condition.DELETING;
        }
        if (plans.stream().anyMatch(p -> p.status() == PlanStatus.FAILED)) {
            return Condition.FAILED;
        }
        if (!cluster.created()) {
            return Condition.CREATING;
        }
        if (plans.stream().anyMatch(p -> !p.status().isOver())) {
            return Condition.CHANGING;
        }
        boolean silent = cluster.datacenters().stream().anyMatch(d -> d.silence() != null);
        return cluster.whole() && !silent ? Condition.HEALTHY : Condition.DEGRADED;
    }
}
