package io.ringmaster.core.policy;

import io.ringmaster.core.operation.Backup;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.Keep;
import io.ringmaster.model.spec.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides when a cluster's schedule requests the next backup: by the age of the last one at the schedule's location,
 * whatever requested it.
 */
public final class ScheduledBackup {
    private ScheduledBackup() {}

    /** The schedule of a cluster that is not being deleted. */
    public static Optional<BackupSchedule> schedule(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        return record == null || record.deleting()
                ? Optional.empty()
                : view.targetSpec(cluster).map(s -> s.spec().backup());
    }

    /** The next backup; empty without a schedule. */
    public static Optional<NextRun> next(View view, ClusterName cluster) {
        return schedule(view, cluster).flatMap(declared -> view.targetSpec(cluster)
                .map(spec -> Schedule.of(Backup.NAME, declared.everyMinutes())
                        .obstacle(view, spec)
                        .map(why -> new NextRun(null, why))
                        .orElseGet(() -> due(view, spec, declared))));
    }

    /** The parameters of the backup that this datacenter's server requests now. */
    public static Optional<Map<String, String>> dueHere(View view, ClusterName cluster) {
        return schedule(view, cluster)
                .filter(s -> Schedule.requestsHere(view, cluster))
                .filter(s -> Schedule.isDue(view, cluster, next(view, cluster)))
                .map(ScheduledBackup::params);
    }

    private static Map<String, String> params(BackupSchedule schedule) {
        Map<String, String> params = new TreeMap<>();
        params.put(Backup.TO, schedule.to());
        if (schedule.bytesPerSecond() > 0) {
            params.put(Backup.BANDWIDTH, Size.write(schedule.bytesPerSecond()) + "/s");
        }
        Keep keep = schedule.keep();
        if (keep != null) {
            params.put(Backup.KEEP_LAST, Integer.toString(keep.last()));
            params.put(Backup.KEEP_DAILY, Integer.toString(keep.daily()));
        }
        return params;
    }

    /** The first backup is due at once: without one, nothing could be restored. */
    private static NextRun due(View view, SpecRecord spec, BackupSchedule declared) {
        Schedule schedule = Schedule.of(Backup.NAME, declared.everyMinutes());
        Optional<Instant> last = BackupHistory.lastTime(view, spec.cluster(), declared.to());
        Duration interval = schedule.every().minus(schedule.spread(spec.cluster()));
        Instant due = last.map(at -> at.plus(interval)).orElse(spec.appliedAt());
        int failures = BackupHistory.failures(view, spec.cluster(), declared.to());
        String age = last.map(at -> "the last backup at " + declared.to() + " is from " + at)
                .orElseGet(() -> BackupHistory.none(view, spec.cluster(), declared.to()));
        return new NextRun(
                schedule.afterPause(view, spec.cluster(), due, failures),
                failures == 0 ? age : age + "; failed since: " + failures);
    }
}
