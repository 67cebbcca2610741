package io.ringmaster.core.policy;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.Clocks;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rules that the schedules of a spec share. They follow from records and reports, so that a new leader decides the
 * same. Only the server of the first datacenter requests.
 *
 * @param operation the operation that is requested
 * @param every its interval
 */
record Schedule(String operation, Duration every) {
    /** The requester of scheduled operations. */
    static final String WHO = "schedule";

    /**
     * A cluster is due early by up to 1/32 of the interval, depending on its name: clusters that were declared together
     * spread.
     */
    private static final int SPREAD = 32;

    /** The next scheduled request comes 1/8 of the interval after the last one, or after its failure. */
    private static final int PAUSE = 8;

    private static final Set<RequestPart.State> FAILED = Set.of(RequestPart.State.ENDED, RequestPart.State.REFUSED);

    /** The pause that failures do not make any longer. */
    private static final Duration LONGEST_PAUSE = Duration.ofDays(1);

    static Schedule of(String operation, long everyMinutes) {
        return new Schedule(operation, Duration.ofMinutes(everyMinutes));
    }

    /** Whether this datacenter's server requests for all. */
    static boolean requestsHere(View view, ClusterName cluster) {
        return view.targetSpec(cluster)
                .filter(s -> s.spec().datacenterNames().get(0).equals(view.datacenter()))
                .isPresent();
    }

    /** Whether the time has come, and no spec is at work. */
    static boolean isDue(View view, ClusterName cluster, Optional<NextRun> next) {
        return next.map(NextRun::due).filter(at -> !at.isAfter(view.now())).isPresent()
                && OperationLock.specAtWork(view, cluster, false).isEmpty();
    }

    /** Why nothing can be requested now. */
    Optional<String> obstacle(View view, SpecRecord spec) {
        ClusterName cluster = spec.cluster();
        if (!Seeds.created(view, cluster)) {
            return Optional.of("the cluster is not complete yet");
        }
        if (OperationLock.isStopped(view, cluster)) {
            return Optional.of("the cluster is stopped");
        }
        Optional<Request> inProgress = requests(view, cluster).stream()
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
        return Optional.empty();
    }

    /** The time by which this cluster is early. */
    Duration spread(ClusterName cluster) {
        int thousandths = Math.floorMod(cluster.value().hashCode(), 1000); // the same in every process
        return every.dividedBy(SPREAD).multipliedBy(thousandths).dividedBy(1000);
    }

    /** Whether a clock was wrong at the request, or is wrong now: its age is not known. */
    static boolean isOfFuture(View view, Request request) {
        return Clocks.isOfFuture(request.at(), view.now());
    }

    /**
     * The time that is due, or the end of the pause after the last scheduled request. One that failed counts from its
     * failure, because it may have taken longer than the pause.
     *
     * @param failures of scheduled requests in a row, up to the last one; each after the first doubles the pause
     */
    Instant afterPause(View view, ClusterName cluster, Instant due, int failures) {
        Duration pause = pause(failures);
        return requests(view, cluster).stream()
                .filter(r -> r.who().equals(WHO) && !isOfFuture(view, r))
                .map(r -> failedAt(view, r).orElse(r.at()).plus(pause))
                .filter(due::isBefore)
                .max(Instant::compareTo)
                .orElse(due);
    }

    /** When it last ended in a datacenter that did not do its work. */
    private static Optional<Instant> failedAt(View view, Request request) {
        return view.targetSpec(request.cluster()).stream()
                .flatMap(s -> s.spec().datacenterNames().stream())
                .flatMap(d -> OperationLock.part(view, d, request).stream())
                .filter(p -> FAILED.contains(p.state()))
                .map(RequestPart::since)
                .filter(at -> !Clocks.isOfFuture(at, view.now()))
                .max(Instant::compareTo);
    }

    private Duration pause(int failures) {
        Duration pause = every.dividedBy(PAUSE);
        for (int i = 1; i < failures && pause.compareTo(LONGEST_PAUSE) < 0; i++) {
            Duration twice = pause.multipliedBy(2);
            pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
        }
        return pause;
    }

    private List<Request> requests(View view, ClusterName cluster) {
        return OperationLock.known(view, cluster).stream()
                .filter(r -> r.operation().equals(operation))
                .toList();
    }
}
