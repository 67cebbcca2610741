package io.ringmaster.server.change;

import io.ringmaster.core.spec.SpecDefaults;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Adds to the text of a spec what it does not say about TLS and login.
 *
 * @param secure new clusters get both; otherwise neither
 */
record SpecCompletion(boolean secure) {
    /**
     * As the cluster is, if one of this name exists in a datacenter. A cluster from a backup is as the one that was
     * backed up, whose spec says it.
     */
    SpecDefaults complete(View view, ClusterSpec written, String yaml) {
        return known(view, written.name())
                .map(spec -> new SpecDefaults(SpecDefaults.like(spec, yaml).yaml(), List.of()))
                .orElseGet(() ->
                        secure && written.restore() == null ? SpecDefaults.secure(yaml) : SpecDefaults.none(yaml));
    }

    /** The newest spec of the cluster in this datacenter, otherwise in another one; empty for a new cluster. */
    static Optional<ClusterSpec> known(View view, ClusterName cluster) {
        Optional<SpecRecord> here = view.targetSpec(cluster).filter(s -> view.exists(cluster));
        return here.or(() -> view.peers().keySet().stream()
                        .flatMap(peer -> view.lastPart(peer, cluster).stream())
                        .filter(part -> !part.deleting())
                        .map(ClusterPart::spec)
                        .max(Comparator.comparingLong(SpecRecord::version)))
                .map(SpecRecord::spec);
    }
}
