package io.ringmaster.core.lint;

import io.ringmaster.core.operation.Delete;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.step.Steps;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules about the phases and steps of a plan. */
final class StepRules {
    /** Steps that take a node down, bring it up or have it leave. */
    private static final Set<String> DISRUPTIVE =
            Set.of("deploy-node", "stop-node", "restart-node", "leave-ring", "replace-node", "evacuate-node");

    private StepRules() {}

    static List<String> knownSteps(PlanDraft plan) {
        List<String> findings = new ArrayList<>();
        plan.steps().forEach(step -> {
            try {
                Steps.of(step);
            } catch (IllegalArgumentException e) {
                findings.add(e.getMessage());
            }
        });
        return findings;
    }

    static List<String> distinctSteps(PlanDraft plan) {
        return PlanDraft.twice(plan.steps().map(StepState::name)).stream()
                .map(name -> "step '" + name + "' stands twice")
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
                                .filter(s -> DISRUPTIVE.contains(s.type()))
                                .filter(s -> !isAmongRackMates(plan, p, s))
                                .count()
                        > 1)
                .map(p -> "phase '" + p.name() + "' changes several nodes of a created cluster at once")
                .toList();
    }

    /** An operation may take a whole rack down where no two replicas are in one rack. */
    private static boolean isAmongRackMates(PlanDraft plan, Phase phase, StepState step) {
        return Boolean.parseBoolean(step.args().get("together"))
                && phase.steps().stream()
                                .map(s -> NodeId.of(s.args().getOrDefault("node", "")))
                                .map(plan.view().nodes()::get)
                                .map(NodeRecord::rack)
                                .distinct()
                                .count()
                        == 1;
    }

    static List<String> volumeKept(PlanDraft plan) {
        boolean asked = Boolean.parseBoolean(plan.params().get(Delete.DESTROY_DATA));
        return plan.steps()
                .filter(s -> Boolean.parseBoolean(s.args().get("destroy_volume")) && !asked)
                .map(s -> "step '" + s.name() + "' destroys a volume, and " + Delete.DESTROY_DATA + " was not given")
                .toList();
    }

    static List<String> verified(PlanDraft plan) {
        List<StepState> steps = plan.steps().toList();
        List<String> types = steps.stream().map(StepState::type).toList();
        boolean verified = types.lastIndexOf("verify-ring") >= types.lastIndexOf("deploy-node");
        return verified || nodes(steps, "leave-ring").containsAll(nodes(steps, "deploy-node"))
                ? List.of()
                : List.of("no verification after the last node");
    }

    private static Set<String> nodes(List<StepState> steps, String type) {
        return steps.stream()
                .filter(s -> s.type().equals(type))
                .map(s -> s.args().get("node"))
                .collect(Collectors.toSet());
    }
}
