package io.ringmaster.core.policy;

import io.ringmaster.core.assess.RepairAges;
import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.spec.Age;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.RepairSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Decides when a cluster's schedule requests the next repair: by the repair ages that nodes report. */
public final class ScheduledRepair {
    /** The requester of scheduled repairs. */
    public static final String WHO = Schedule.WHO;

    private ScheduledRepair() {}

    /** The next repair; empty without a schedule. */
    public static Optional<NextRun> next(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        Optional<SpecRecord> spec = view.targetSpec(cluster);
        RepairSchedule declared = spec.map(s -> s.spec().repair()).orElse(null);
        if (record == null || record.deleting() || declared == null) {
            return Optional.empty();
        }
        Schedule schedule = Schedule.of(Repair.NAME, declared.everyMinutes());
        return spec.map(s -> schedule.obstacle(view, s)
                .or(() -> RepairAges.notReporting(view, cluster)
                        .map(n -> n.id().shortName() + " has not reported its ranges"))
                .map(why -> new NextRun(null, why))
                .orElseGet(() -> due(view, s, schedule)));
    }

    /** The parameters of the repair that this datacenter's server requests now. */
    public static Optional<Map<String, String>> dueHere(View view, ClusterName cluster) {
        return view.targetSpec(cluster)
                .map(s -> s.spec().repair())
                .filter(s -> Schedule.requestsHere(view, cluster))
                .filter(s -> Schedule.isDue(view, cluster, next(view, cluster)))
                .map(ScheduledRepair::params);
    }

    /** Ranges repaired in the last half of the interval are skipped: the next repair is early enough for them. */
    private static Map<String, String> params(RepairSchedule schedule) {
        Map<String, String> params = new TreeMap<>();
        params.put(
                Repair.MAX_AGE,
                Age.write(Duration.ofMinutes(schedule.everyMinutes()).dividedBy(2)));
        params.put(Repair.INTENSITY, Double.toString(schedule.intensity()));
        return params;
    }

    private static NextRun due(View view, SpecRecord spec, Schedule schedule) {
        List<Instant> ages = new ArrayList<>();
        RepairAges.here(view, spec.cluster()).ifPresent(ages::add);
        spec.spec().datacenterNames().stream()
                .filter(d -> !d.equals(view.datacenter()))
                .flatMap(d -> view.lastPart(d, spec.cluster()).map(ClusterPart::repaired).stream())
                .forEach(ages::add);
        Optional<Instant> oldest = ages.stream().min(Instant::compareTo);
        if (oldest.isEmpty()) {
            return new NextRun(null, "no node reports ranges to repair");
        }
        Duration spread = schedule.spread(spec.cluster());
        boolean never = oldest.get().equals(RepairAges.NEVER);
        Instant due = never
                ? spec.appliedAt().plus(spread)
                : oldest.get().plus(schedule.every()).minus(spread);
        return new NextRun(
                schedule.afterPause(view, spec.cluster(), due, 0),
                never ? "ranges were never repaired" : "the oldest repair of a range is from " + oldest.get());
    }
}
