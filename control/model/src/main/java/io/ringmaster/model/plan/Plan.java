package io.ringmaster.model.plan;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The work of one operation in one datacenter; immutable, persisted whole at each change.
 *
 * @param operation its name in the catalogue of operations
 * @param params as the user gave them
 * @param specVersion the version of the spec that the plan applies
 * @param requestedBy the user who requested the plan
 * @param request the request that this plan carries out here, or null when the plan follows from the spec
 * @param notes what the user should know before and after: why this order, what cannot be undone
 * @param problem why the plan failed, or null
 * @param load the report of the probe load that ran during the plan, or null when there was none or it is not
 *     reported yet
 */
public record Plan(
        PlanId id,
        ClusterName cluster,
        String operation,
        Map<String, String> params,
        long specVersion,
        String requestedBy,
        @Nullable RequestId request,
        Instant createdAt,
        @Nullable Instant endedAt,
        PlanStatus status,
        List<Phase> phases,
        List<String> notes,
        @Nullable Problem problem,
        @Nullable PlanLoad load) {
    /** The operation that applies a spec. */
    public static final String DEPLOY = "deploy";

    /** The operation that deletes a cluster. */
    public static final String DELETE = "delete";

    public Plan {
        params = Ordered.copy(params);
        phases = List.copyOf(phases);
        notes = List.copyOf(notes);
    }
}
