package io.ringmaster.server.change;

import io.ringmaster.core.spec.SpecDefaults;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Comparator;
import java.util.Optional;

/**
 * Adds to the text of a spec what it does not say about TLS and login.
 *
 * @param secure new clusters get both; otherwise neither
 */
record SpecCompletion(boolean secure) {
    /** The text to store: as the cluster is, if one of this name exists in a datacenter. */
    String complete(View view, ClusterName cluster, String yaml) {
        return known(view, cluster)
                .map(spec -> SpecDefaults.like(spec, yaml))
                .orElseGet(() -> secure ? SpecDefaults.secure(yaml) : yaml);
    }

    private static Optional<ClusterSpec> known(View view, ClusterName cluster) {
        Optional<SpecRecord> here = view.targetSpec(cluster).filter(s -> view.exists(cluster));
        return here.or(() -> view.peers().keySet().stream()
                        .flatMap(peer -> view.lastPart(peer, cluster).stream())
                        .filter(part -> !part.deleting())
                        .map(ClusterPart::spec)
                        .max(Comparator.comparingLong(SpecRecord::version)))
                .map(SpecRecord::spec);
    }
}
