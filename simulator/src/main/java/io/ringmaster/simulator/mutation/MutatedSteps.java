package io.ringmaster.simulator.mutation;

import io.ringmaster.core.step.AcquireLock;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.EvacuateNode;
import io.ringmaster.core.step.LeaveRing;
import io.ringmaster.core.step.ReleaseNode;
import io.ringmaster.core.step.ReplaceNode;
import io.ringmaster.core.step.RestartNode;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.StepState;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/** The controller's steps with a planted bug. */
public final class MutatedSteps {
    private MutatedSteps() {}

    public static Function<StepState, Step> of(Mutation plant) {
        return switch (plant) {
            case AVAILABILITY_CHECK_REMOVED,
                    SPEC_CHECK_REMOVED,
                    REQUEST_CHECK_REMOVED,
                    REPLACE_CHECK_REMOVED,
                    PEER_REPORTS_IGNORED,
                    LEAVING_DATACENTER_IGNORED -> state -> withMutatedBudget(Steps.of(state), plant);
            case LOCK_IGNORED -> state -> withoutLock(Steps.of(state));
            case REPLICATION_NOT_REDUCED ->
                state -> skipping(
                        Steps.of(state),
                        r -> r.kind() == NodeTask.Kind.REPLICATE && r.taskArgs().containsValue("0"));
            case REBUILD_SKIPPED ->
                state -> skipping(Steps.of(state), r -> r.kind() == NodeTask.Kind.REBUILD && r.forSpec());
            case EMPTY_VOLUME_CREATED -> state -> reservingAgain(Steps.of(state));
            case VOLUME_DESTROYED -> state -> destroyingVolumes(Steps.of(state));
            // Planted in the ring, the pool or the store.
            case NONE,
                    GOSSIP_IGNORED,
                    HINTS_IGNORED,
                    SCHEMA_IGNORED,
                    REPLICATION_UNKNOWN,
                    SOLE_REPLICAS_IGNORED,
                    CLIENTS_IGNORED,
                    ALLOCATION_LEAKED,
                    EPOCH_UNCHECKED,
                    ACT_BEFORE_PERSIST -> Steps::of;
        };
    }

    private static Step withMutatedBudget(Step step, Mutation plant) {
        if (step instanceof DeployNode deploy) {
            return new DeployNode(deploy.node(), deploy.specVersion(), new MutatedBudget(deploy.budget(), plant));
        }
        if (step instanceof LeaveRing leave) {
            return new LeaveRing(leave.node(), leave.specVersion(), new MutatedBudget(leave.budget(), plant));
        }
        if (step instanceof ReplaceNode replace) {
            return new ReplaceNode(
                    replace.node(), replace.besideDown(), replace.leaves(), new MutatedBudget(replace.budget(), plant));
        }
        if (step instanceof EvacuateNode evacuate) {
            return new EvacuateNode(
                    evacuate.node(),
                    evacuate.machine(),
                    evacuate.allowSilentPeers(),
                    new MutatedBudget(evacuate.budget(), plant));
        }
        return step instanceof RestartNode restart
                ? new RestartNode(
                        restart.node(),
                        restart.together(),
                        restart.allowSilentPeers(),
                        restart.consistency(),
                        new MutatedBudget(restart.budget(), plant))
                : step;
    }

    private static Step withoutLock(Step step) {
        return step instanceof AcquireLock
                ? new Planted(
                        step, (view, memory) -> new Verdict.Done(List.of(), "planted: does not wait for the lock"))
                : step;
    }

    private static Step skipping(Step step, Predicate<RunTask> which) {
        return step instanceof RunTask task && which.test(task)
                ? new Planted(step, (view, memory) -> new Verdict.Done(List.of(), "planted: skipped"))
                : step;
    }

    /** Reserves an empty volume where the volume of a member is lost. */
    private static Step reservingAgain(Step step) {
        if (!(step instanceof DeployNode deploy)) {
            return step;
        }
        return new Planted(step, (view, memory) -> {
            Verdict verdict = step.next(view, memory);
            boolean lost =
                    verdict instanceof Verdict.Failed failed && failed.problem().code() == ErrorCode.MACHINE_LOST;
            return lost ? reserveAgain(view, deploy.node(), memory) : verdict;
        });
    }

    private static Verdict reserveAgain(View view, NodeId node, Map<String, String> memory) {
        var allocation = view.nodes().get(node).allocation();
        return new Verdict.Do(
                List.of(), List.of(new Command.Reserve(allocation)), "planted: reserves an empty volume", memory);
    }

    private static Step destroyingVolumes(Step step) {
        return step instanceof ReleaseNode release ? new ReleaseNode(release.node(), true) : step;
    }

    /** @param answer replaces the verdict of the step */
    private record Planted(Step step, Answer answer) implements Step {
        private interface Answer {
            Verdict next(View view, Map<String, String> memory);
        }

        @Override
        public String type() {
            return step.type();
        }

        @Override
        public Map<String, String> args() {
            return step.args();
        }

        @Override
        public String name() {
            return step.name();
        }

        @Override
        public Verdict next(View view, Map<String, String> memory) {
            return answer.next(view, memory);
        }

        @Override
        public boolean mayOvertake(View view) {
            return step.mayOvertake(view);
        }
    }
}
