package io.ringmaster.simulator;

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
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/** The controller's steps with a planted bug in them. */
final class MutatedSteps {
    private MutatedSteps() {}

    static Function<StepState, Step> of(Mutation plant) {
        return switch (plant) {
            case GATE_REMOVED, SPEC_UNGATED, REQUEST_UNGATED, REPLACE_UNGATED, PEERS_IGNORED, LEAVING_UNASKED ->
                state -> deaf(Steps.of(state), plant);
            case TURN_IGNORED -> state -> impatient(Steps.of(state));
            case REPLICAS_LEFT ->
                state -> skipping(
                        Steps.of(state),
                        r -> r.kind() == NodeTask.Kind.REPLICATE && r.taskArgs().containsValue("0"));
            case REBUILD_SKIPPED ->
                state -> skipping(Steps.of(state), r -> r.kind() == NodeTask.Kind.REBUILD && r.forSpec());
            case VOLUME_MADE_ANEW -> state -> careless(Steps.of(state));
            case VOLUME_DESTROYED -> state -> destructive(Steps.of(state));
            // planted elsewhere: in what nodes tell, in the pool or in the store
            case NONE,
                    GOSSIP_IGNORED,
                    HINTS_IGNORED,
                    SCHEMA_IGNORED,
                    REPLICAS_UNKNOWN,
                    STRANDED_IGNORED,
                    CLIENTS_IGNORED,
                    CLAIM_LEFT,
                    EPOCH_UNPROVEN,
                    PERSIST_AFTER_ACT -> Steps::of;
        };
    }

    private static Step deaf(Step step, Mutation plant) {
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

    private static Step impatient(Step step) {
        return step instanceof AcquireLock
                ? new Planted(step, (view, memory) -> new Verdict.Done(List.of(), "does not wait"))
                : step;
    }

    private static Step skipping(Step step, Predicate<RunTask> which) {
        return step instanceof RunTask task && which.test(task)
                ? new Planted(step, (view, memory) -> new Verdict.Done(List.of(), "is left out"))
                : step;
    }

    /** Where the volume of a member is gone it claims a new one. */
    private static Step careless(Step step) {
        if (!(step instanceof DeployNode deploy)) {
            return step;
        }
        return new Planted(step, (view, memory) -> {
            Verdict verdict = step.next(view, memory);
            boolean lost =
                    verdict instanceof Verdict.Failed failed && failed.problem().code() == ErrorCode.MACHINE_LOST;
            return lost ? claimsAnew(view, deploy.node(), memory) : verdict;
        });
    }

    private static Verdict claimsAnew(View view, NodeId node, Map<String, String> memory) {
        var claim = Objects.requireNonNull(view.nodes().get(node), "the step found its record")
                .allocation();
        return new Verdict.Do(List.of(), List.of(new Command.Reserve(claim)), "claims its place anew", memory);
    }

    private static Step destructive(Step step) {
        return step instanceof ReleaseNode release ? new ReleaseNode(release.node(), true) : step;
    }

    /** @param answer in the place of the step's own */
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
