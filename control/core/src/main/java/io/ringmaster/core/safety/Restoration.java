package io.ringmaster.core.safety;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.RestoreSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

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
        return Seeds.created(view, target.cluster())
                ? Optional.empty()
                : withBackup(view, target).flatMap(s -> Optional.ofNullable(s.origin()));
    }

    private static Optional<SpecRecord> withBackup(View view, SpecRecord target) {
        return target.origin() != null
                ? Optional.of(target)
                : view.versions(target.cluster()).values().stream()
                        .filter(s -> target.isSameCluster(s) && s.origin() != null)
                        .reduce((older, newer) -> newer);
    }

    /** The backups that must stay where they are: of each cluster that is not created yet, nor being deleted. */
    public static Map<ClusterName, RestoreSource> inProgress(View view) {
        return sources(
                view, record -> !record.deleting() && of(view, record.cluster()).isPresent());
    }

    /** The backups of clusters that are created, or being deleted, as far as their versions still name one. */
    public static Map<ClusterName, RestoreSource> over(View view) {
        return sources(view, record -> record.deleting() || record.created());
    }

    private static Map<ClusterName, RestoreSource> sources(View view, Predicate<ClusterRecord> which) {
        Map<ClusterName, RestoreSource> sources = new TreeMap<>();
        for (ClusterRecord record : view.clusters().values()) {
            if (which.test(record)) {
                view.targetSpec(record.cluster())
                        .flatMap(target -> withBackup(view, target))
                        .flatMap(s -> Optional.ofNullable(s.spec().restore()))
                        .ifPresent(source -> sources.put(record.cluster(), source));
            }
        }
        return sources;
    }

    /** Which datacenter lacks data of the backup; empty if none does, and for a cluster that is not being restored. */
    public static Optional<String> incomplete(View view, ClusterName cluster) {
        return incomplete(view, cluster, d -> true);
    }

    /**
     * Whether this datacenter lacks data of the backup. As long as it does no client is let in anywhere, and the others
     * may wait for it: it waits for none of them.
     */
    public static boolean isIncompleteHere(View view, ClusterName cluster) {
        return incomplete(view, cluster, d -> d.equals(view.datacenter())).isPresent();
    }

    /** The same of the other datacenters: what is built from rows is made when the rows of all are there. */
    public static Optional<String> incompleteElsewhere(View view, ClusterName cluster) {
        return incomplete(view, cluster, d -> !d.equals(view.datacenter()));
    }

    private static Optional<String> incomplete(View view, ClusterName cluster, Predicate<DatacenterName> which) {
        return of(view, cluster).isEmpty()
                ? Optional.empty()
                : view.targetSpec(cluster).orElseThrow().spec().datacenterNames().stream()
                        .filter(which)
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
