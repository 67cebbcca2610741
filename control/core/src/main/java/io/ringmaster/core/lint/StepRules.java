package io.ringmaster.core.lint;

import io.ringmaster.core.operation.Delete;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.DestroyVolume;
import io.ringmaster.core.step.EvacuateNode;
import io.ringmaster.core.step.LeaveRing;
import io.ringmaster.core.step.ReleaseNode;
import io.ringmaster.core.step.ReplaceNode;
import io.ringmaster.core.step.RestartNode;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.StopNode;
import io.ringmaster.core.step.VerifyRing;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rules for the phases and steps of a plan. */
final class StepRules {
    /** Steps that take a node down, start it or make it leave. */
    private static final List<Class<? extends Step>> DISRUPTIVE = List.of(
            DeployNode.class,
            StopNode.class,
            RestartNode.class,
            LeaveRing.class,
            ReplaceNode.class,
            EvacuateNode.class);

    private StepRules() {}

    static List<String> knownSteps(PlanDraft plan) {
        List<String> findings = new ArrayList<>();
        plan.steps().forEach(step -> {
            try {
                Steps.of(step);
            } catch (IllegalArgumentException e) {
                findings.add(ThrowableText.of(e));
            }
        });
        return findings;
    }

    static List<String> distinctSteps(PlanDraft plan) {
        return PlanDraft.twice(plan.steps().map(StepState::name)).stream()
                .map(name -> "step '" + name + "' appears twice")
                .toList();
    }

    static List<String> noEmptyPhase(PlanDraft plan) {
        return plan.phases().stream()
                .filter(p -> p.steps().isEmpty())
                .map(p -> "phase '" + p.name() + "' has no steps")
                .toList();
    }

    static List<String> oneNodeAtATime(PlanDraft plan) {
        boolean deleting = plan.clusterAfter().map(ClusterRecord::deleting).orElse(false);
        if (deleting || !Seeds.created(plan.view(), plan.cluster())) {
            return List.of();
        }
        return plan.phases().stream()
                .filter(p -> p.strategy() == Phase.Strategy.PARALLEL)
                .filter(p -> p.steps().stream()
                                .filter(s -> DISRUPTIVE.stream().anyMatch(d -> Steps.is(s, d)))
                                .filter(s -> !isAmongRackMates(plan, p, s))
                                .count()
                        > 1)
                .map(p -> "phase '" + p.name() + "' changes several nodes of a created cluster at once")
                .toList();
    }

    /** An operation may take a whole rack down where no two replicas are in one rack. */
    private static boolean isAmongRackMates(PlanDraft plan, Phase phase, StepState step) {
        return Steps.as(step, RestartNode.class).filter(RestartNode::together).isPresent()
                && phase.steps().stream()
                                .flatMap(s -> s.node().stream())
                                .map(plan.view().nodes()::get)
                                .map(NodeRecord::rack)
                                .distinct()
                                .count()
                        == 1;
    }

    static List<String> volumeKept(PlanDraft plan) {
        boolean asked = Boolean.parseBoolean(plan.params().get(Delete.DESTROY_DATA));
        return plan.steps()
                .filter(s -> !asked && destroysVolume(s))
                .map(s -> "step '" + s.name() + "' destroys a volume, and " + Delete.DESTROY_DATA + " was not given")
                .toList();
    }

    private static boolean destroysVolume(StepState step) {
        return Steps.is(step, DestroyVolume.class)
                || Steps.as(step, ReleaseNode.class)
                        .filter(ReleaseNode::destroyVolume)
                        .isPresent();
    }

    static List<String> verified(PlanDraft plan) {
        List<StepState> steps = plan.steps().toList();
        boolean verified = last(steps, VerifyRing.class) >= last(steps, DeployNode.class);
        return verified || nodes(steps, LeaveRing.class).containsAll(nodes(steps, DeployNode.class))
                ? List.of()
                : List.of("no verification after the last node");
    }

    /** The index of the last step of the type; -1 if there is none. */
    private static int last(List<StepState> steps, Class<? extends Step> type) {
        return IntStream.range(0, steps.size())
                .filter(i -> Steps.is(steps.get(i), type))
                .max()
                .orElse(-1);
    }

    private static Set<NodeId> nodes(List<StepState> steps, Class<? extends Step> type) {
        return steps.stream()
                .filter(s -> Steps.is(s, type))
                .flatMap(s -> s.node().stream())
                .collect(Collectors.toSet());
    }
}
