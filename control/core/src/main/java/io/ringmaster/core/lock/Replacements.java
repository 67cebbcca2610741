package io.ringmaster.core.lock;

import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.Request;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What the plans of replacements in this datacenter still do, for plans that wait for it. */
public final class Replacements {
    /** The types of the steps that start a replacement, or continue with one that another plan has decided. */
    private static final Set<String> STARTING =
            Set.of(StepState.DEPLOY_NODE, StepState.REPLACE_NODE, StepState.EVACUATE_NODE);

    private Replacements() {}

    /**
     * Why a cleanup leaves the repair of moved ranges to a replacement: that plan ends with it. Not if that plan failed
     * and its node serves.
     */
    public static Optional<String> repairingFirst(View view, ClusterName cluster) {
        return OperationLock.replacements(view, cluster)
                .flatMap(r -> plans(view, r)
                        .filter(p -> p.status() != PlanStatus.FAILED || !OperationLock.isBack(view, r))
                        .map(p -> r.title() + " of " + r.params().getOrDefault(Selection.NODE, "a node")
                                + " repairs first" + nextStep(p)))
                .findFirst();
    }

    /** What to do so that the replacement of a node continues; empty while a plan replaces it. */
    public static String nextStep(View view, NodeRecord node) {
        List<Plan> plans = view.plans().values().stream()
                .filter(p -> p.cluster().equals(node.cluster()) && !p.status().isOver() && replaces(p, node))
                .toList();
        if (plans.isEmpty()) {
            return "; no plan continues that: " + Advice.replaceNode(node.id());
        }
        return plans.stream().anyMatch(p -> p.status() == PlanStatus.RUNNING) ? "" : nextStep(plans.get(0));
    }

    private static boolean replaces(Plan plan, NodeRecord node) {
        return plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .filter(s -> STARTING.contains(s.type()) && !s.status().isOver())
                .anyMatch(s -> s.node().filter(node.id()::equals).isPresent());
    }

    private static Stream<Plan> plans(View view, Request replacement) {
        return view.plans().values().stream()
                .filter(p -> replacement.id().equals(p.request()) && !p.status().isOver());
    }

    private static String nextStep(Plan plan) {
        return switch (plan.status()) {
            case FAILED ->
                "; plan " + plan.id() + " failed: "
                        + Advice.retryPlan(plan.id()).and(" or ", Advice.abortPlan(plan.id()));
            case PAUSED -> "; plan " + plan.id() + " is paused: " + Advice.resumePlan(plan.id());
            default -> "";
        };
    }
}
