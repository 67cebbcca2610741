package io.ringmaster.core.decide;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import java.time.Instant;
import java.util.List;

/**
 * A spec that came from another datacenter and cannot be planned here now. It is planned again when something changes.
 */
public record UnplannableSpec(ClusterName cluster, long specVersion, List<Problem> problems, Instant since) {
    public UnplannableSpec {
        problems = List.copyOf(problems);
    }
}
