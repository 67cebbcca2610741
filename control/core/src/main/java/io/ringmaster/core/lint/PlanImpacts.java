package io.ringmaster.core.lint;

import io.ringmaster.core.assess.Irreversible;
import io.ringmaster.core.step.AcquireLock;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.DestroyVolume;
import io.ringmaster.core.step.EvacuateNode;
import io.ringmaster.core.step.ForgetCluster;
import io.ringmaster.core.step.LeaveRing;
import io.ringmaster.core.step.ReleaseNode;
import io.ringmaster.core.step.ReplaceNode;
import io.ringmaster.core.step.RestartNode;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.StartStopNode;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.StopNode;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.NodeChangeKind;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanImpact;
import io.ringmaster.model.plan.StepState;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Derives the impact of drafted plans from their steps. A step that could stop a node counts as stopping it. */
public final class PlanImpacts {
    private PlanImpacts() {}

    /** @param plans the drafts of all datacenters */
    public static PlanImpact of(Collection<Plan> plans) {
        List<NodeId> destroyed = nodes(plans, PlanImpacts::destroys);
        return new PlanImpact(
                nodes(plans, PlanImpacts::stops),
                mostAtOnce(plans),
                nodes(plans, step -> Steps.is(step, LeaveRing.class)),
                destroyed,
                Stream.concat(
                                destroyed.stream().map(node -> "the volume of " + node + " is DESTROYED, permanently"),
                                plans.stream().flatMap(p -> steps(p).flatMap(s -> irreversible(p, s).stream())))
                        .distinct()
                        .toList());
    }

    /**
     * Nodes that stay stopped add up. Of the others, plans that hold the operation lock stop those of one datacenter
     * after another; plans without a lock run side by side.
     */
    private static int mostAtOnce(Collection<Plan> plans) {
        int stay = nodes(plans, PlanImpacts::staysStopped).size();
        IntStream passing = plans.stream().mapToInt(plan -> plan.phases().stream()
                .mapToInt(PlanImpacts::stopsAtOnce)
                .max()
                .orElse(0));
        boolean locked = plans.stream().flatMap(PlanImpacts::steps).anyMatch(s -> Steps.is(s, AcquireLock.class));
        return stay + (locked ? passing.max().orElse(0) : passing.sum());
    }

    private static boolean staysStopped(StepState step) {
        return Steps.readable(step)
                .filter(s -> s instanceof StopNode
                        || (s instanceof StartStopNode startStop && !startStop.on())
                        || (s instanceof RunTask task && task.kind() == NodeTask.Kind.DRAIN))
                .isPresent();
    }

    private static boolean stops(StepState step) {
        return Steps.readable(step)
                .map(s -> stops(s, step.change()))
                .orElse(step.node().isPresent());
    }

    private static boolean stops(Step step, @Nullable NodeChangeKind change) {
        if (step instanceof DeployNode) {
            return change != NodeChangeKind.START && change != NodeChangeKind.LIVE;
        }
        return step instanceof StopNode
                || step instanceof RestartNode
                || step instanceof EvacuateNode
                || (step instanceof StartStopNode startStop && !startStop.on())
                || (step instanceof RunTask task && task.kind() == NodeTask.Kind.DRAIN);
    }

    private static int stopsAtOnce(Phase phase) {
        int all = (int)
                phase.steps().stream().filter(s -> stops(s) && !staysStopped(s)).count();
        return phase.strategy() == Phase.Strategy.PARALLEL ? all : Math.min(all, 1);
    }

    private static boolean destroys(StepState step) {
        return Steps.as(step, ReleaseNode.class)
                .filter(ReleaseNode::destroyVolume)
                .isPresent();
    }

    private static Optional<String> irreversible(Plan plan, StepState state) {
        return Steps.readable(state).flatMap(step -> {
            if (step instanceof DestroyVolume destroyed) {
                return Optional.of(
                        "a node that left earlier: volume " + destroyed.volume() + " is DESTROYED, permanently");
            }
            return effect(plan, step).map(Irreversible::sentence);
        });
    }

    private static Optional<Irreversible> effect(Plan plan, Step step) {
        if (step instanceof ForgetCluster) {
            boolean destroys = steps(plan).anyMatch(s -> destroys(s) || Steps.is(s, DestroyVolume.class));
            return Optional.of(destroys ? Irreversible.DELETE_WITH_DATA : Irreversible.DELETE);
        }
        if (step instanceof LeaveRing) {
            return Optional.of(Irreversible.LEAVE);
        }
        if (step instanceof ReplaceNode) {
            return Optional.of(Irreversible.REPLACE);
        }
        if (step instanceof EvacuateNode) {
            return Optional.of(Irreversible.EVACUATE);
        }
        // a later spec reverses the tasks of a spec
        return step instanceof RunTask task && !task.forSpec() ? effect(task.kind()) : Optional.empty();
    }

    private static Optional<Irreversible> effect(NodeTask.Kind kind) {
        return switch (kind) {
            case COMPACT -> Optional.of(Irreversible.COMPACT);
            case CLEANUP -> Optional.of(Irreversible.CLEANUP);
            case GARBAGE_COLLECT -> Optional.of(Irreversible.GARBAGE_COLLECT);
            case CLEAR_SNAPSHOTS -> Optional.of(Irreversible.CLEAR_SNAPSHOTS);
            case UPGRADE_SSTABLES -> Optional.of(Irreversible.UPGRADE_SSTABLES);
            default -> Optional.empty();
        };
    }

    private static List<NodeId> nodes(Collection<Plan> plans, Predicate<StepState> which) {
        return plans.stream()
                .flatMap(PlanImpacts::steps)
                .filter(which)
                .flatMap(s -> s.node().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private static Stream<StepState> steps(Plan plan) {
        return plan.phases().stream().flatMap(p -> p.steps().stream());
    }
}
