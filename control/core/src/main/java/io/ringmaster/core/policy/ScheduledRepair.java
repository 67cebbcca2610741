package io.ringmaster.core.policy;

import io.ringmaster.core.assess.RepairAges;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.spec.Age;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.spec.RepairSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a cluster's schedule requests the next repair. The decision follows from records and from the repair
 * ages that nodes report, so that a new leader decides the same. Only the server of the first datacenter requests.
 */
public final class ScheduledRepair {
    /** The requester of scheduled repairs. */
    public static final String WHO = "schedule";

    /**
     * A cluster is due early by up to 1/32 of the interval, depending on its name: clusters that were declared together
     * spread.
     */
    private static final int SPREAD = 32;

    /** Scheduled repairs are at least 1/8 of the interval apart, whatever their outcome. */
    private static final int PAUSE = 8;

    private ScheduledRepair() {}

    /**
     * The next scheduled repair.
     *
     * @param due when, or null while it is unknown
     * @param why the reason for the time, or why it is unknown
     */
    public record Next(@Nullable Instant due, String why) {}

    /** The next repair; empty without a schedule. */
    public static Optional<Next> next(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        Optional<SpecRecord> spec = view.targetSpec(cluster);
        RepairSchedule schedule = spec.map(s -> s.spec().repair()).orElse(null);
        if (record == null || record.deleting() || schedule == null) {
            return Optional.empty();
        }
        return spec.map(s -> obstacle(view, s).map(why -> new Next(null, why)).orElseGet(() -> due(view, s, schedule)));
    }

    /** The parameters of the repair that this datacenter's server requests now. */
    public static Optional<Map<String, String>> dueHere(View view, ClusterName cluster) {
        RepairSchedule schedule =
                view.targetSpec(cluster).map(s -> s.spec().repair()).orElse(null);
        boolean requestsHere = view.targetSpec(cluster)
                .map(s -> s.spec().datacenterNames().get(0).equals(view.datacenter()))
                .orElse(false);
        if (schedule == null || !requestsHere) {
            return Optional.empty();
        }
        boolean due = next(view, cluster)
                        .map(Next::due)
                        .filter(at -> !at.isAfter(view.now()))
                        .isPresent()
                && OperationLock.specAtWork(view, cluster, false).isEmpty();
        return due ? Optional.of(params(schedule)) : Optional.empty();
    }

    /** Ranges repaired in the last half of the interval are skipped: the next repair is early enough for them. */
    private static Map<String, String> params(RepairSchedule schedule) {
        Map<String, String> params = new TreeMap<>();
        params.put(Repair.MAX_AGE, Age.write(every(schedule).dividedBy(2)));
        params.put(Repair.INTENSITY, Double.toString(schedule.intensity()));
        return params;
    }

    private static Duration every(RepairSchedule schedule) {
        return Duration.ofMinutes(schedule.everyMinutes());
    }

    private static Optional<String> obstacle(View view, SpecRecord spec) {
        ClusterName cluster = spec.cluster();
        if (!Seeds.created(view, cluster)) {
            return Optional.of("the cluster is not complete yet");
        }
        if (OperationLock.isStopped(view, cluster)) {
            return Optional.of("the cluster is stopped");
        }
        Optional<Request> inProgress = repairs(view, cluster).stream()
                .filter(r -> OperationLock.unfinished(view, r, false).isPresent())
                .findFirst();
        if (inProgress.isPresent()) {
            return inProgress.map(r -> r.title() + " has not finished");
        }
        for (DatacenterName other : spec.spec().datacenterNames()) {
            if (!other.equals(view.datacenter())) {
                Optional<String> silence = view.silence(other);
                if (silence.isPresent() || view.lastPart(other, cluster).isEmpty()) {
                    return Optional.of(silence.orElse(other + " has not received " + cluster + " yet"));
                }
            }
        }
        return RepairAges.notReporting(view, cluster).map(n -> n.id().shortName() + " has not reported its ranges");
    }

    private static Next due(View view, SpecRecord spec, RepairSchedule schedule) {
        List<Instant> ages = new ArrayList<>();
        RepairAges.here(view, spec.cluster()).ifPresent(ages::add);
        spec.spec().datacenterNames().stream()
                .filter(d -> !d.equals(view.datacenter()))
                .flatMap(d -> view.lastPart(d, spec.cluster()).map(ClusterPart::repaired).stream())
                .forEach(ages::add);
        Optional<Instant> oldest = ages.stream().min(Instant::compareTo);
        if (oldest.isEmpty()) {
            return new Next(null, "no node reports ranges to repair");
        }
        Duration every = every(schedule);
        Duration spread =
                every.dividedBy(SPREAD).multipliedBy(share(spec.cluster())).dividedBy(1000);
        boolean never = oldest.get().equals(RepairAges.NEVER);
        Instant due =
                never ? spec.appliedAt().plus(spread) : oldest.get().plus(every).minus(spread);
        Instant earliest = repairs(view, spec.cluster()).stream()
                .filter(r -> r.who().equals(WHO))
                .map(r -> r.at().plus(every.dividedBy(PAUSE)))
                .max(Instant::compareTo)
                .orElse(Instant.MIN);
        return new Next(
                due.isBefore(earliest) ? earliest : due,
                never ? "ranges were never repaired" : "the oldest repair of a range is from " + oldest.get());
    }

    /** The spread of a cluster in thousandths; the same in every process. */
    private static int share(ClusterName cluster) {
        return Math.floorMod(cluster.value().hashCode(), 1000);
    }

    private static List<Request> repairs(View view, ClusterName cluster) {
        return OperationLock.known(view, cluster).stream()
                .filter(r -> r.operation().equals(Repair.NAME))
                .toList();
    }
}
