package io.ringmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.ports.SampleRecords;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reports of the pool may arrive late, twice and out of order; their revisions say which one is newer. */
class ObservedStateTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Allocation ALLOCATION = SampleRecords.allocation();

    private final ObservedState observed = new ObservedState();

    private static AllocationState state(Status status, long revision) {
        return AllocationState.of(ALLOCATION, status, NOW, revision);
    }

    private static Machine machine(Machine.State state) {
        return new Machine(ALLOCATION.machine(), new RackName("r1"), "127.1.1.1", 1000, 1, 1, null, false, state);
    }

    private static Fact seen(long revision, AllocationState... states) {
        return new Fact.PoolSeen(
                List.of(machine(Machine.State.READY)), List.of(states), PoolCapabilities.OF_MACHINES, revision);
    }

    private View after(Fact... facts) {
        for (Fact fact : facts) {
            observed.take(fact, NOW);
        }
        View stored = View.empty(NOW, 1, SampleRecords.DC1, List.of(), List.of());
        return observed.view(stored, Stream.empty(), NOW, Set.of());
    }

    private static Status status(View view) {
        return view.allocations().get(ALLOCATION.id()).status();
    }

    @Test
    void an_older_report_about_an_allocation_changes_nothing_whatever_its_time() {
        View view = after(
                seen(1),
                new Fact.AllocationChanged(state(Status.RUNNING, 3)),
                new Fact.AllocationChanged(state(Status.LAUNCHING, 2)));
        assertThat(status(view)).isEqualTo(Status.RUNNING);
    }

    @Test
    void a_full_report_that_was_overtaken_by_a_change_does_not_undo_it() {
        View view = after(new Fact.AllocationChanged(state(Status.RUNNING, 5)), seen(4, state(Status.LAUNCHING, 4)));
        assertThat(status(view)).isEqualTo(Status.RUNNING);
    }

    @Test
    void an_older_full_report_is_ignored() {
        View view = after(seen(6, state(Status.RUNNING, 6)), seen(4));
        assertThat(status(view)).isEqualTo(Status.RUNNING);
    }

    @Test
    void an_allocation_that_is_gone_does_not_come_back_by_a_late_report() {
        View view = after(
                seen(1, state(Status.RESERVED, 1)),
                new Fact.AllocationGone(ALLOCATION.id(), 3),
                new Fact.AllocationChanged(state(Status.RUNNING, 2)),
                seen(2, state(Status.RUNNING, 2)));
        assertThat(view.allocations()).isEmpty();
    }

    @Test
    void only_what_the_pool_says_is_gone_counts_as_gone_not_what_a_report_lacks() {
        assertThat(after(seen(1, state(Status.RELEASED, 1)), seen(2)).allocationsGone())
                .isEmpty();
        assertThat(after(new Fact.AllocationGone(ALLOCATION.id(), 3)).allocationsGone())
                .containsExactly(ALLOCATION.id());
        assertThat(after(new Fact.AllocationChanged(state(Status.RESERVED, 4))).allocationsGone())
                .isEmpty();
    }

    @Test
    void a_change_that_the_full_report_already_contains_is_ignored() {
        View view = after(seen(5), new Fact.AllocationChanged(state(Status.RUNNING, 4)));
        assertThat(view.allocations()).isEmpty();
    }

    @Test
    void a_machine_that_the_pool_cannot_reach_is_known_before_the_next_whole_report() {
        View view = after(seen(1), new Fact.MachineChanged(machine(Machine.State.UNREACHABLE), 2));
        assertThat(view.machines().get(ALLOCATION.machine()).reachable()).isFalse();
        assertThat(after(new Fact.MachineChanged(machine(Machine.State.READY), 1))
                        .machines()
                        .get(ALLOCATION.machine())
                        .reachable())
                .as("the report is older")
                .isFalse();
    }

    @Test
    void a_late_whole_report_does_not_undo_what_is_known_of_a_machine() {
        View view = after(new Fact.MachineChanged(machine(Machine.State.UNREACHABLE), 12), seen(10));
        assertThat(view.machines().get(ALLOCATION.machine()).reachable()).isFalse();
        assertThat(after(seen(13)).machines().get(ALLOCATION.machine()).reachable())
                .isTrue();
    }

    @Test
    void a_pool_that_was_opened_again_may_count_from_the_start() {
        View view = after(
                seen(900, state(Status.RUNNING, 900)),
                new Fact.PoolUnavailable("its directory is in use"),
                seen(1, state(Status.EXITED, 1)));
        assertThat(status(view)).isEqualTo(Status.EXITED);
    }

    @Test
    void why_the_pool_cannot_be_asked_is_known_until_it_reports_again() {
        Fact.PoolUnavailable away = new Fact.PoolUnavailable("its directory is in use");
        assertThat(after(away).poolProblem()).isEqualTo("its directory is in use");
        assertThat(after(away, seen(1, state(Status.EXITED, 1))).poolProblem()).isNull();
    }

    @Test
    void a_warning_of_the_pool_holds_until_its_next_whole_report() {
        Map<ClusterName, Problem> warnings =
                Map.of(new ClusterName("rides"), Problem.of(ErrorCode.POOL_UNAVAILABLE, "its budget is not kept"));
        Fact warned = new Fact.PoolSeen(List.of(), List.of(), PoolCapabilities.OF_MACHINES, 1, warnings);
        assertThat(after(warned).poolWarnings()).isEqualTo(warnings);
        assertThat(after(new Fact.MachineChanged(machine(Machine.State.READY), 2))
                        .poolWarnings())
                .isEqualTo(warnings);
        assertThat(after(seen(3)).poolWarnings()).isEmpty();
    }
}
