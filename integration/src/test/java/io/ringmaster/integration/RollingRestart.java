package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.client.ChangeOptions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A rolling restart of all nodes of a trial, in which something is to go wrong. */
final class RollingRestart {
    private final Trial trial;
    private final Playground playground;
    private final RequestId request;

    private RollingRestart(Trial trial, RequestId request) {
        this.trial = trial;
        this.playground = trial.playground;
        this.request = request;
    }

    /** Asks for it, and returns when the first node is being restarted. */
    static RollingRestart underWay(Trial trial) {
        RequestId id = trial.playground
                .client("dc1")
                .operate(Playground.RIDES, "restart", new OperationAsk(Map.of(), "a failure"), ChangeOptions.APPLY)
                .request()
                .id();
        var restart = new RollingRestart(trial, id);
        restart.awaitTouched(1);
        return restart;
    }

    /** As far as the servers answer; each is asked for its own. */
    List<Plan> plans() {
        return playground.client("dc1").plans(Playground.RIDES).items().stream()
                .filter(p -> request.equals(p.request()))
                .toList();
    }

    private List<StepState> steps() {
        return plans().stream()
                .flatMap(p -> p.phases().stream())
                .flatMap(p -> p.steps().stream())
                .filter(s -> s.args().containsKey("node"))
                .toList();
    }

    private static Instant began(StepState step) {
        return Instant.parse(step.memory().get("began"));
    }

    /** Those that the plan has begun to restart, the first one first. */
    List<NodeId> touched() {
        return steps().stream()
                .filter(s -> s.memory().containsKey("began"))
                .sorted(Comparator.comparing(RollingRestart::began))
                .map(s -> NodeId.of(s.args().get("node")))
                .toList();
    }

    /** @return the last of that many nodes that the plan has begun to restart */
    NodeId awaitTouched(int count) {
        return Patience.until(count + " nodes to be restarted", Trial.SOON, this::touched, t -> t.size() >= count)
                .get(count - 1);
    }

    /** While a node is not NORMAL the plan starts with no other one; returns when it is NORMAL again. */
    void touchesNobodyUntilNormal(NodeId node, Set<NodeId> before) {
        Patience.until(
                node + " to be NORMAL again",
                Trial.SOON,
                () -> {
                    List<NodeId> touched = touched();
                    boolean normal = trial.mode(node) == OperatingMode.NORMAL;
                    if (!normal) {
                        assertThat(touched)
                                .as("nodes touched while " + node + " is not NORMAL")
                                .hasSameElementsAs(before);
                    }
                    return normal;
                },
                normal -> normal);
    }

    /** What the plans say that they wait for, or failed of. */
    String reasons() {
        return plans().stream()
                .flatMap(p -> p.phases().stream())
                .flatMap(p -> p.steps().stream())
                .filter(s -> !s.status().isOver())
                .map(s -> s.reason() + (s.problem() == null ? "" : " " + s.problem()))
                .collect(Collectors.joining("; "));
    }

    /**
     * The plan continues automatically with one more node, is stopped between two nodes, and leaves the cluster whole.
     */
    void goesOnAndIsEnded() {
        int touched = touched().size();
        if (touched < 6) {
            awaitTouched(touched + 1);
        }
        end(playground, plans());
        playground.whole(6, Trial.SOON);
        assertNeverTwoAtOnce();
    }

    /** Ends every plan that is not over. */
    static void endAll(Playground playground) {
        end(playground, playground.client("dc1").plans(Playground.RIDES).items());
    }

    private static void end(Playground playground, List<Plan> plans) {
        for (Plan plan : plans) {
            if (!plan.status().isOver()) {
                playground.client(plan.id().datacenter().value()).ask(plan.id(), PlanVerb.ABORT, null);
            }
        }
    }

    void completes() {
        Patience.until(
                "both plans to be complete",
                Trial.SOON,
                this::plans,
                plans -> plans.size() == 2 && plans.stream().allMatch(p -> p.status() == PlanStatus.COMPLETE));
        playground.whole(6, Trial.SOON);
        assertNeverTwoAtOnce();
    }

    /** A node is touched only after the one before it was through. */
    private void assertNeverTwoAtOnce() {
        List<StepState> begun = steps().stream()
                .filter(s -> s.memory().containsKey("began"))
                .sorted(Comparator.comparing(RollingRestart::began))
                .toList();
        for (int i = 1; i < begun.size(); i++) {
            StepState before = begun.get(i - 1);
            assertThat(before.endedAt()).as(before.name() + " is through").isNotNull();
            assertThat(began(begun.get(i)))
                    .as(begun.get(i).name() + " is touched after " + before.name())
                    .isAfterOrEqualTo(before.endedAt());
        }
    }
}
