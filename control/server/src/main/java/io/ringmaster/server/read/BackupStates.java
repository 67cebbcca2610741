package io.ringmaster.server.read;

import io.ringmaster.core.operation.Backup;
import io.ringmaster.core.policy.BackupHistory;
import io.ringmaster.core.policy.ScheduledBackup;
import io.ringmaster.core.spec.Age;
import io.ringmaster.core.step.CommitBackup;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.wire.api.BackupState;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The schedule of a cluster's backups, and the last one, without asking any location. */
final class BackupStates {
    private BackupStates() {}

    static @Nullable BackupState of(View view, ClusterName cluster) {
        BackupState.Schedule schedule = ScheduledBackup.schedule(view, cluster)
                .flatMap(s -> schedule(view, cluster, s))
                .orElse(null);
        BackupState.Last last =
                BackupHistory.last(view, cluster).map(BackupStates::last).orElse(null);
        return schedule == null && last == null ? null : new BackupState(schedule, last);
    }

    private static Optional<BackupState.Schedule> schedule(View view, ClusterName cluster, BackupSchedule declared) {
        return ScheduledBackup.next(view, cluster)
                .map(next -> new BackupState.Schedule(
                        declared.to(), Age.write(Duration.ofMinutes(declared.everyMinutes())), next.due(), next.why()));
    }

    private static BackupState.Last last(Request made) {
        return new BackupState.Last(
                made.params().getOrDefault(CommitBackup.ID, ""), made.params().getOrDefault(Backup.TO, ""), made.at());
    }
}
