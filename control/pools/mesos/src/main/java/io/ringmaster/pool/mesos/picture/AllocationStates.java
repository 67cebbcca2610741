package io.ringmaster.pool.mesos.picture;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.name.MachineName;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** The state of an allocation, from what the master knows. */
public final class AllocationStates {
    private static final Set<String> BY_OPERATORS = Set.of("REASON_AGENT_DRAINING");

    private AllocationStates() {}

    /** Empty if the master shows that there is no such allocation. */
    public static Optional<AllocationState> state(Picture picture, Allocation allocation, Instant now) {
        Optional<MesosTask> task = picture.task(allocation.id());
        Optional<Agent> agent = picture.agent(allocation.machine());
        if (agent.isEmpty()) {
            return Optional.of(unreachable(allocation, task, now));
        }
        return picture.holding(allocation.id())
                .map(holding -> of(holding, task, now))
                // what runs is there, also if the master hides what is reserved
                .or(() -> picture.liveTask(allocation.id())
                        .map(t -> live(t.claim().allocation(), t, now)))
                .map(state -> state.at(agent.get().machine().address()));
    }

    private static AllocationState unreachable(Allocation allocation, Optional<MesosTask> task, Instant now) {
        MachineName machine = allocation.machine();
        AllocationState state = AllocationState.of(allocation, Status.UNREACHABLE, now, 0)
                .withProblem(Problem.of(
                        ErrorCode.MACHINE_LOST,
                        "the master has lost the agent " + machine + "; what runs there may go on",
                        "bring the agent back"));
        return task.map(t -> state.withResources(t.claim().allocation().resources()))
                .orElse(state);
    }

    private static AllocationState of(Picture.Holding holding, Optional<MesosTask> task, Instant now) {
        Allocation allocation = holding.claim().allocation();
        if (task.isPresent() && task.get().state().isLive()) {
            return live(allocation, task.get(), now);
        }
        if (holding.isReleased()) {
            return AllocationState.of(allocation, Status.RELEASED, now, 0).withDetail("volume kept");
        }
        if (!holding.volume()) {
            return withoutVolume(holding, now);
        }
        return task.filter(AllocationStates::endedUnasked)
                .map(t -> AllocationState.of(allocation, Status.EXITED, now, 0).withDetail(ended(t)))
                .orElseGet(() -> AllocationState.of(allocation, Status.RESERVED, now, 0));
    }

    /** A reservation or a release has broken off, or an operator has destroyed the volume. */
    private static AllocationState withoutVolume(Picture.Holding holding, Instant now) {
        Allocation allocation = holding.claim().allocation();
        Status holds = holding.room() ? Status.RESERVED : Status.RELEASED;
        return AllocationState.failed(
                        allocation,
                        now,
                        0,
                        Problem.of(
                                ErrorCode.MACHINE_LOST,
                                "what is reserved for " + allocation.id() + " on " + allocation.machine()
                                        + " has no volume"))
                .withResources(AllocationState.of(allocation, holds, now, 0).resources());
    }

    private static AllocationState live(Allocation allocation, MesosTask task, Instant now) {
        AllocationState state =
                switch (task.state()) {
                    case TASK_RUNNING -> AllocationState.of(allocation, Status.RUNNING, now, 0);
                    case TASK_KILLING ->
                        AllocationState.of(allocation, Status.RUNNING, now, 0).withDetail("is being ended");
                    case TASK_UNREACHABLE -> unreachable(allocation, Optional.of(task), now);
                    default ->
                        AllocationState.of(allocation, Status.LAUNCHING, now, 0)
                                .withDetail("its task is being started");
                };
        return state.withResources(task.claim().allocation().resources());
    }

    /** The state of an allocation whose run had ended before it was asked to end. */
    public static AllocationState stopped(AllocationState exited) {
        return AllocationState.of(exited.allocation(), Status.RESERVED, exited.since(), 0)
                .at(exited.address());
    }

    /** A kill is asked for by the pool, unless Mesos says that an operator drains the agent. */
    private static boolean endedUnasked(MesosTask task) {
        return !task.state().neverRan()
                && (task.state() != MesosTask.State.TASK_KILLED || BY_OPERATORS.contains(task.reason()));
    }

    private static String ended(MesosTask task) {
        String why = task.message().isEmpty() ? task.reason() : task.message();
        return "its task ended: " + task.state() + (why.isEmpty() ? "" : ", " + why);
    }
}
