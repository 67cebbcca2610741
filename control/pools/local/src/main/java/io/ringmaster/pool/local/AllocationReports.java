package io.ringmaster.pool.local;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.pool.base.PoolReports;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The reports about one allocation; each builds on the one before. */
final class AllocationReports {
    private final AllocationId id;
    private final PoolReports pool;
    private @Nullable String address;

    AllocationReports(AllocationId id, PoolReports pool) {
        this.id = id;
        this.pool = pool;
    }

    /** The last report; empty before any, and once the allocation is gone. */
    Optional<AllocationState> state() {
        return pool.state(id);
    }

    /** Reports this address from now on. */
    void at(@Nullable String newAddress) {
        address = newAddress;
    }

    /** The address that is reported. */
    @Nullable
    String address() {
        return address;
    }

    @Nullable
    String warning() {
        return state().map(AllocationState::warning).orElse(null);
    }

    void report(AllocationState state) {
        pool.changed(state.at(address));
    }

    void report(Allocation allocation, Status status, @Nullable String detail, @Nullable String warning) {
        report(next(allocation, status).withDetail(detail).withWarning(warning));
    }

    /** What runs goes on with the resources that it was launched with. */
    void unresized(Allocation allocation) {
        report(next(allocation, Status.RUNNING).withWarning(warning()).withResources(held(allocation.resources())));
    }

    private AllocationState next(Allocation allocation, Status status) {
        Instant since = state().filter(s -> s.status() == status)
                .map(AllocationState::since)
                .orElseGet(Instant::now);
        return AllocationState.of(allocation, status, since, 0);
    }

    /** The limits of what runs stay in force until it has ended. */
    void launching(Allocation allocation, String detail) {
        report(next(allocation, Status.LAUNCHING).withDetail(detail).withResources(held(allocation.resources())));
    }

    void fail(Allocation allocation, Problem problem) {
        report(AllocationState.failed(allocation, Instant.now(), 0, problem).withResources(held(PoolReports.NOTHING)));
    }

    private NodeResources held(NodeResources before) {
        return state().map(AllocationState::resources).orElse(before);
    }

    /** Reports the last state again, for one who has lost it. */
    void repeat() {
        state().ifPresent(pool::changed);
    }
}
