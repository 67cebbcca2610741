package io.ringmaster.server.read;

import static io.ringmaster.core.lock.OperationLock.known;
import static io.ringmaster.core.lock.OperationLock.part;

import io.ringmaster.core.step.AcquireLock;
import io.ringmaster.core.step.SyncDatacenter;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.LockState;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The holders of a cluster's operation lock and the requests that wait for it. The lock is not stored: it follows from
 * the plans and requests.
 */
final class OperationLocks {
    /** The phases in which a plan waits for other operations. */
    private static final Set<String> WAITING = Set.of(AcquireLock.NAME, SyncDatacenter.PHASE);

    private static final Comparator<LockState> ORDER = Comparator.comparing((LockState t) -> !t.holds())
            .thenComparing(LockState::request, Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(LockState::datacenter);

    private OperationLocks() {}

    /**
     * @param asked the other datacenters that were asked
     * @param answers the answers of those that answered
     */
    static List<LockState> of(
            View view, ClusterName cluster, Collection<DatacenterName> asked, Collection<ClusterStatus> answers) {
        Set<DatacenterName> answered = answers.stream()
                .flatMap(s -> s.datacenters().stream())
                .map(ClusterStatus.Part::datacenter)
                .collect(Collectors.toSet());
        Stream<LockState> silent =
                asked.stream().filter(d -> !answered.contains(d)).flatMap(d -> lastReported(view, cluster, d));
        return Stream.of(here(view, cluster), answers.stream().flatMap(s -> s.locks().stream()), silent)
                .flatMap(s -> s)
                .sorted(ORDER)
                .toList();
    }

    private static Stream<LockState> here(View view, ClusterName cluster) {
        Stream<LockState> planned = view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && !p.status().isOver())
                .map(p -> of(view, p));
        Stream<LockState> unplanned = known(view, cluster).stream()
                .flatMap(r -> part(view, view.datacenter(), r)
                        .filter(p -> p.state() == RequestPart.State.WAITING)
                        .map(p -> new LockState(
                                view.datacenter(),
                                r.operation(),
                                r.id(),
                                r.lockScope(),
                                r.who(),
                                null,
                                false,
                                p.since(),
                                p.reason()))
                        .stream());
        return Stream.concat(planned, unplanned);
    }

    private static LockState of(View view, Plan plan) {
        Optional<Request> request = Optional.ofNullable(plan.request())
                .map(r -> view.requests().get(r))
                .map(r -> r.request());
        Optional<StepState> waits = plan.phases().stream()
                .filter(p -> WAITING.contains(p.name()))
                .flatMap(p -> p.steps().stream())
                .filter(s -> !s.status().isOver())
                .findFirst();
        return new LockState(
                view.datacenter(),
                plan.operation(),
                plan.request(),
                request.map(Request::lockScope).orElse(LockScope.RING),
                plan.requestedBy(),
                plan.id(),
                waits.isEmpty(),
                waits.map(StepState::since).orElseGet(() -> acquiredAt(plan)),
                plan.status() != PlanStatus.RUNNING || waits.isEmpty()
                        ? "plan " + plan.id() + " is " + plan.status().name().toLowerCase(Locale.ROOT)
                        : waits.map(StepState::reason).orElse("starts"));
    }

    /** When the plan stopped waiting for others. */
    private static Instant acquiredAt(Plan plan) {
        return plan.phases().stream()
                .filter(p -> WAITING.contains(p.name()))
                .map(Phase::steps)
                .flatMap(List::stream)
                .flatMap(s -> Stream.ofNullable(s.endedAt()))
                .max(Comparator.naturalOrder())
                .orElse(plan.createdAt());
    }

    /** Unfinished requests of a silent datacenter count as holders of the lock, because they may be running. */
    private static Stream<LockState> lastReported(View view, ClusterName cluster, DatacenterName silent) {
        return known(view, cluster).stream()
                .flatMap(r -> part(view, silent, r).filter(p -> !p.state().isOver()).stream()
                        .map(p -> new LockState(
                                silent,
                                r.operation(),
                                r.id(),
                                r.lockScope(),
                                r.who(),
                                p.plan(),
                                true,
                                p.since(),
                                "as " + silent + " last reported: " + p.reason())));
    }
}
