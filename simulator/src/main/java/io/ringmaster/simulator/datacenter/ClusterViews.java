package io.ringmaster.simulator.datacenter;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Optional;

/** Questions about one cluster in a server's view. */
public final class ClusterViews {
    private ClusterViews() {}

    /** The newest spec of a cluster that is not being deleted. */
    public static Optional<ClusterSpec> spec(View view, ClusterName cluster) {
        return specRecord(view, cluster).map(SpecRecord::spec);
    }

    /** The record of {@link #spec}. */
    public static Optional<SpecRecord> specRecord(View view, ClusterName cluster) {
        return Optional.ofNullable(view.clusters().get(cluster))
                .filter(c -> !c.deleting())
                .flatMap(c -> view.targetSpec(cluster));
    }

    /** The cluster's plans that are not over. */
    public static List<Plan> openPlans(View view, ClusterName cluster) {
        return view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && !p.status().isOver())
                .toList();
    }
}
