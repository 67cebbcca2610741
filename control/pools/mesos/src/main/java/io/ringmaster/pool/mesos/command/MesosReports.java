package io.ringmaster.pool.mesos.command;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.fleet.AllocationStateBuilder;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.pool.base.PoolReports;
import io.ringmaster.pool.mesos.picture.AllocationStates;
import io.ringmaster.pool.mesos.picture.MesosTask;
import io.ringmaster.pool.mesos.picture.Picture;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Reports the states of allocations as the last picture shows them. */
public final class MesosReports {
    private final ClusterWatch watch;
    private final PoolReports reports;
    /** Why the last command for an allocation was refused, as long as no later one was carried out. */
    private final Map<AllocationId, Problem> refusals = new ConcurrentHashMap<>();

    /** What the last command waits for. */
    private final Map<AllocationId, Waiting> waiting = new ConcurrentHashMap<>();

    private record Waiting(Allocation wanted, String reason) {}

    /** What was decided last about what runs, which gets it when it is launched again. */
    private final Map<AllocationId, Allocation> decided = new ConcurrentHashMap<>();

    /** The tasks that had ended before their allocation was asked to end what runs. */
    private final Map<AllocationId, String> stopped = new ConcurrentHashMap<>();

    public MesosReports(ClusterWatch watch, PoolReports reports) {
        this.watch = watch;
        this.reports = reports;
    }

    void decided(Allocation allocation) {
        decided.put(allocation.id(), allocation);
    }

    /** A kill was carried out, perhaps after the end of what had run. */
    void stopped(AllocationId id) {
        watch.picture().task(id).ifPresent(task -> stopped.put(id, task.id()));
    }

    /** A command starts: what the one before met is over. */
    void begin(AllocationId id) {
        waiting.remove(id);
    }

    /** A command was carried out: reports the state, also for one who may have lost it. */
    void report(AllocationId id) {
        refusals.remove(id);
        repeat(id);
    }

    private void repeat(AllocationId id) {
        Optional<AllocationState> now = state(id);
        if (now.isPresent()) {
            reports.changed(now.get());
        } else {
            gone(id);
        }
    }

    private void gone(AllocationId id) {
        decided.remove(id);
        stopped.remove(id);
        reports.gone(id);
    }

    /** Reports the state if it differs from the last report. */
    public void reportChange(AllocationId id) {
        Optional<AllocationState> before = reports.state(id);
        Optional<AllocationState> now = state(id);
        if (now.isEmpty() && before.isPresent()) {
            gone(id);
        } else if (now.isPresent()
                && !now.equals(before.map(b -> b.withRevision(now.get().revision())))) {
            reports.changed(now.get());
        }
    }

    /** The state, and why the last command has not changed it. */
    private Optional<AllocationState> state(AllocationId id) {
        Optional<AllocationState> shown = shown(id);
        Waiting waits = waiting.get(id);
        if (waits != null && shown.filter(s -> s.status() != Status.FAILED).isEmpty()) {
            return Optional.of(pending(waits, shown));
        }
        return shown.map(s -> s.withWarning(warning(s)));
    }

    /** Nothing is there that could be launched on. */
    private AllocationState pending(Waiting waits, Optional<AllocationState> shown) {
        return reports.continued(AllocationState.of(waits.wanted(), Status.PENDING, Instant.now(), 0)
                .withProblem(Problem.of(ErrorCode.POOL_UNAVAILABLE, waits.reason()))
                .withResources(shown.map(AllocationState::resources).orElse(PoolReports.NOTHING)));
    }

    /** Null where the state itself says it. */
    private @Nullable String warning(AllocationState state) {
        Waiting waits = waiting.get(state.id());
        Problem refusal = refusals.get(state.id());
        return switch (state.status()) {
            case FAILED, UNREACHABLE -> null;
            default -> waits != null ? waits.reason() : refusal != null ? refusal.message() : null;
        };
    }

    private Optional<AllocationState> shown(AllocationId id) {
        Picture picture = watch.picture();
        Optional<AllocationState> last = reports.state(id);
        Problem refusal = refusals.get(id);
        Optional<Allocation> known = known(picture, id, last);
        if (refusal != null && picture.liveTask(id).isEmpty()) {
            return known.map(allocation -> reports.continued(reports.refused(allocation, refusal)));
        }
        if (known.isPresent() && isExpected(picture, known.get()) && last.isPresent()) {
            return last; // a new master has not heard of its agent yet
        }
        return known.flatMap(allocation -> AllocationStates.state(picture, allocation, Instant.now()))
                .map(state -> isStopped(picture, state) ? AllocationStates.stopped(state) : state)
                .map(state -> reports.continued(withDecided(state)));
    }

    private boolean isStopped(Picture picture, AllocationState state) {
        return state.status() == Status.EXITED
                && picture.task(state.id())
                        .filter(task -> task.id().equals(stopped.get(state.id())))
                        .isPresent();
    }

    private static boolean isExpected(Picture picture, Allocation allocation) {
        return picture.expected().contains(allocation.machine())
                && picture.agent(allocation.machine()).isEmpty();
    }

    private static Optional<Allocation> known(Picture picture, AllocationId id, Optional<AllocationState> last) {
        return picture.holding(id)
                .map(holding -> holding.claim().allocation())
                .or(() -> picture.liveTask(id).map(task -> task.claim().allocation()))
                // what waited to be reserved was never there
                .or(() -> last.filter(state -> state.status() != Status.PENDING).map(AllocationState::allocation));
    }

    /** A change of a running allocation is decided at once, and in force after the next launch. */
    private AllocationState withDecided(AllocationState state) {
        Allocation next = decided.get(state.id());
        return next == null
                ? state
                : AllocationStateBuilder.builder(state).allocation(next).build();
    }

    void launching(Allocation allocation, String detail) {
        NodeResources held =
                reports.state(allocation.id()).map(AllocationState::resources).orElse(allocation.resources());
        reports.changed(reports.continued(AllocationState.of(allocation, Status.LAUNCHING, Instant.now(), 0)
                .withDetail(detail)
                .withResources(held)));
    }

    /** A command waits, and will be tried again. */
    void waits(Allocation wanted, String reason) {
        refusals.remove(wanted.id());
        waiting.put(wanted.id(), new Waiting(wanted, reason));
        repeat(wanted.id());
    }

    /** A command was refused; each refusal counts, so that its time is that of the report. */
    void fail(Allocation allocation, Problem problem) {
        refusals.put(allocation.id(), problem);
        reports.changed(reports.refused(allocation, problem));
    }

    /** Whether this run of an executor is over, as far as the picture shows. */
    static boolean isOver(Picture picture, MesosTask task) {
        return picture.task(task.allocation())
                .filter(t -> t.id().equals(task.id()) && t.state().isLive())
                .isEmpty();
    }
}
