package io.ringmaster.core.safety;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import java.util.Optional;

/**
 * Whether a cluster is being restored from a backup. Until it is created, its nodes join without bootstrap although
 * rows exist, so CQL stays closed until every node of every datacenter has its data, whatever ends or forces a plan.
 */
public final class Restoration {
    private Restoration() {}

    /** The backup of a cluster that is not created yet; empty for one that started empty, and for a created one. */
    public static Optional<RestoreOrigin> of(View view, ClusterName cluster) {
        return view.targetSpec(cluster).flatMap(target -> of(view, target));
    }

    /**
     * The same for a version of its spec. A version without the backup, as a server of an older release makes it, does
     * not end a restore.
     */
    public static Optional<RestoreOrigin> of(View view, SpecRecord target) {
        if (Seeds.created(view, target.cluster())) {
            return Optional.empty();
        }
        return target.origin() != null
                ? Optional.of(target.origin())
                : view.versions(target.cluster()).values().stream()
                        .filter(target::isSameCluster)
                        .flatMap(s -> Optional.ofNullable(s.origin()).stream())
                        .reduce((older, newer) -> newer);
    }

    /** Which datacenter lacks data of the backup; empty if none does, and for a cluster that is not being restored. */
    public static Optional<String> incomplete(View view, ClusterName cluster) {
        return of(view, cluster).isEmpty()
                ? Optional.empty()
                : view.targetSpec(cluster).orElseThrow().spec().datacenterNames().stream()
                        .filter(d -> !isComplete(view, cluster, d))
                        .findFirst()
                        .map(d -> d + " has not imported the data of the backup");
    }

    private static boolean isComplete(View view, ClusterName cluster, DatacenterName datacenter) {
        if (!datacenter.equals(view.datacenter())) {
            return view.lastPart(datacenter, cluster)
                    .filter(part -> Seeds.isSame(view, part))
                    .filter(ClusterPart::restored)
                    .isPresent();
        }
        ClusterRecord here = view.clusters().get(cluster);
        return here != null && here.restored();
    }
}
