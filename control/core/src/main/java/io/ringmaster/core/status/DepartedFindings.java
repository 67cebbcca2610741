package io.ringmaster.core.status;

import io.ringmaster.core.policy.DepartedDatacenter;
import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import java.util.Optional;

/**
 * Finds a datacenter that has left and that nothing takes out of the replication of roles. Each datacenter with a
 * NORMAL node reports it: the first one may have none.
 */
final class DepartedFindings {
    private DepartedFindings() {}

    static Optional<Finding> of(View view, ClusterName cluster) {
        return DepartedDatacenter.stuck(view, cluster)
                .map(gone -> new Finding(
                        cluster.value(),
                        Problem.of(
                                ErrorCode.PLAN_STATE,
                                "system_auth names " + gone + ", which has left: CREATE ROLE, GRANT and the like fail",
                                Advice.replicateRoles(cluster)
                                        .prefix("bring a node of the first datacenter back, and restart nodes that an"
                                                + " earlier release started; then try ")),
                        null));
    }
}
