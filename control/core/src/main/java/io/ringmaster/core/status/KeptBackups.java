package io.ringmaster.core.status;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.operation.Backup;
import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.step.CollectBackups;
import io.ringmaster.core.step.CommitBackup;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.Request;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Older backups that stayed because they could not be deleted after a newer one, whatever requested that. Its plan is
 * complete and here, in the first datacenter; it stays in the store at least until the next backup is planned.
 */
final class KeptBackups {
    private KeptBackups() {}

    /** The last deletion at a location counts, by the order of requests. */
    private record Deletion(Request request, Plan plan, StepState step) {}

    /** One for each location. */
    static List<Finding> all(View view, ClusterName cluster) {
        Map<String, Deletion> last = new TreeMap<>();
        for (Request request : OperationLock.known(view, cluster)) {
            deletion(view, request).ifPresent(d -> last.put(location(request), d));
        }
        return last.values().stream().flatMap(d -> finding(d).stream()).toList();
    }

    private static String location(Request request) {
        return request.params().getOrDefault(Backup.TO, "");
    }

    /** Of a backup that was to delete older ones, once that has ended. */
    private static Optional<Deletion> deletion(View view, Request request) {
        return Optional.ofNullable(view.requests().get(request.id()))
                .filter(r -> request.operation().equals(Backup.NAME))
                .map(RequestRecord::part)
                .flatMap(part -> Optional.ofNullable(part.plan()))
                .flatMap(id -> Optional.ofNullable(view.plans().get(id)))
                .flatMap(plan -> plan.phases().stream()
                        .flatMap(phase -> phase.steps().stream())
                        .filter(s -> Steps.is(s, CollectBackups.class) && s.status() == StepState.Status.DONE)
                        .findFirst()
                        .map(step -> new Deletion(request, plan, step)));
    }

    private static Optional<Finding> finding(Deletion deletion) {
        return CollectBackups.whyKept(deletion.step)
                .map(why -> new Finding(
                        deletion.request.cluster().value(),
                        Problem.of(
                                ErrorCode.TASK_FAILED,
                                "the backups at " + location(deletion.request) + " that were to go after "
                                        + Objects.requireNonNullElse(
                                                deletion.request.params().get(CommitBackup.ID),
                                                deletion.request.title())
                                        + " stay: " + why,
                                Advice.showPlan(deletion.plan.id())),
                        deletion.step.endedAt()));
    }
}
