package io.ringmaster.core.status;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.operation.Backup;
import io.ringmaster.core.policy.BackupHistory;
import io.ringmaster.core.policy.NextRun;
import io.ringmaster.core.policy.ScheduledBackup;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.spec.Age;
import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.step.CommitBackup;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.BackupSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Backups of a schedule that failed or are overdue, and older backups that stayed although a rule lets them go. The
 * first datacenter whose server answers reports them: the one that requests backups may be the one that is away.
 */
record BackupFindings(View view, ClusterName cluster) {

    List<Finding> all() {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || record.deleting() || !Seeds.created(view, cluster) || !reportsHere()) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>(KeptBackups.all(view, cluster));
        ScheduledBackup.schedule(view, cluster).ifPresent(schedule -> {
            failed(schedule).ifPresent(findings::add);
            ofFuture(schedule).ifPresent(findings::add);
            overdue(schedule).ifPresent(findings::add);
        });
        return findings;
    }

    private boolean reportsHere() {
        return view.targetSpec(cluster).stream()
                .flatMap(s -> s.spec().datacenterNames().stream())
                .filter(d -> d.equals(view.datacenter()) || view.silence(d).isEmpty())
                .findFirst()
                .equals(Optional.of(view.datacenter()));
    }

    private Optional<Finding> failed(BackupSchedule schedule) {
        Optional<Request> failed = BackupHistory.failed(view, cluster, schedule.to());
        Optional<RequestPart> part = failed.flatMap(r -> BackupHistory.part(view, r));
        return failed.flatMap(r -> part.map(p -> new Finding(
                cluster.value(),
                Problem.of(
                        ErrorCode.TASK_FAILED,
                        r.title() + " failed: " + p.reason() + inARow(schedule) + nextTry(),
                        p.plan() == null ? Advice.operationStatus(cluster) : Advice.showPlan(p.plan())),
                p.since())));
    }

    private Optional<Finding> ofFuture(BackupSchedule schedule) {
        return BackupHistory.ofFuture(view, cluster, schedule.to())
                .map(r -> new Finding(
                        cluster.value(),
                        Problem.of(
                                ErrorCode.PLAN_STATE,
                                "the last backup at " + schedule.to() + ", "
                                        + r.params().get(CommitBackup.ID)
                                        + ", is of the future: a server's clock was wrong then, or is wrong now",
                                Advice.of("set the clocks of the servers")),
                        null));
    }

    /** Each one sends what the last complete backup lacks, so the pauses between them grow. */
    private String inARow(BackupSchedule schedule) {
        int failures = BackupHistory.failures(view, cluster, schedule.to());
        return failures < 2 ? "" : "; " + failures + " in a row, and the pause after them doubles each time";
    }

    private String nextTry() {
        Instant due = next().map(NextRun::due).orElse(null);
        return due == null ? "" : due.isAfter(view.now()) ? "; the next one is due at " + due : "; the next one is due";
    }

    private Optional<Finding> overdue(BackupSchedule schedule) {
        Duration every = Duration.ofMinutes(schedule.everyMinutes());
        Optional<Instant> last = BackupHistory.lastTime(view, cluster, schedule.to());
        Instant since =
                last.orElseGet(this::scheduledSince).plus(every.multipliedBy(3).dividedBy(2));
        if (since.isAfter(view.now())) {
            return Optional.empty();
        }
        String age = last.map(at ->
                        "the last one at " + schedule.to() + " is " + age(Duration.between(at, view.now())) + " old")
                .orElseGet(() -> BackupHistory.none(view, cluster, schedule.to()));
        Optional<NextRun> next = next();
        String why = next.map(NextRun::due).isPresent()
                ? ""
                : next.map(n -> "; " + n.why()).orElse("");
        return Optional.of(new Finding(
                cluster.value(),
                Problem.of(
                        ErrorCode.PLAN_STATE,
                        "backup is overdue: " + age + "; every " + Age.write(every) + why,
                        nextStep(schedule)),
                since));
    }

    private Optional<NextRun> next() {
        return ScheduledBackup.next(view, cluster);
    }

    /** The time of the oldest version that is still kept since when every version has a schedule. */
    private Instant scheduledSince() {
        @Nullable Instant since = null;
        Map<Long, SpecRecord> versions = view.specs().get(cluster);
        if (versions == null) {
            return view.now();
        }
        for (SpecRecord version : versions.values()) {
            since = version.spec().backup() == null ? null : since == null ? version.appliedAt() : since;
        }
        return since == null ? view.now() : since;
    }

    private Advice nextStep(BackupSchedule schedule) {
        if (OperationLock.isStopped(view, cluster)) {
            return Advice.startCluster(cluster);
        }
        boolean inProgress = OperationLock.known(view, cluster).stream()
                .filter(r -> r.operation().equals(Backup.NAME))
                .anyMatch(r -> OperationLock.unfinished(view, r, false).isPresent());
        return inProgress
                ? Advice.operationStatus(cluster)
                : Advice.command("backup create " + cluster + " --to " + schedule.to());
    }

    private static String age(Duration time) {
        return time.toHours() < 10
                ? time.toMinutes() + " min"
                : time.toDays() < 3 ? time.toHours() + " h" : time.toDays() + " d";
    }
}
