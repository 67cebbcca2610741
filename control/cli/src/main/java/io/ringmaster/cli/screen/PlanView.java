package io.ringmaster.cli.screen;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The plans of one operation in all datacenters as one view: phases of the same name are merged.
 *
 * @param plans at least one, all of one cluster and spec version
 * @param nodes states of the nodes that the steps change
 */
public record PlanView(List<Plan> plans, Map<NodeId, NodeState> nodes, Instant now) {
    public PlanView {
        plans = List.copyOf(plans);
        nodes = Map.copyOf(nodes);
    }

    /** The newest plan of each datacenter for this or a later version of the spec; empty while there is none. */
    public static Optional<PlanView> of(ClusterStatus status, long specVersion) {
        return of(status, plan -> plan.specVersion() >= specVersion);
    }

    /** The newest plan of each datacenter among the chosen ones; empty while there is none. */
    public static Optional<PlanView> of(ClusterStatus status, Predicate<Plan> chosen) {
        List<Plan> plans = status.plans().stream()
                .filter(plan -> plan.request() == null && chosen.test(plan))
                .toList();
        return newest(plans, nodes(status), status.at());
    }

    /** The newest plan of each datacenter; empty without a plan. */
    public static Optional<PlanView> newest(List<Plan> plans, Map<NodeId, NodeState> nodes, Instant now) {
        Map<DatacenterName, Plan> newest = new TreeMap<>();
        plans.forEach(plan ->
                newest.merge(plan.id().datacenter(), plan, (a, b) -> a.id().number() > b.id().number() ? a : b));
        return newest.isEmpty()
                ? Optional.empty()
                : Optional.of(new PlanView(List.copyOf(newest.values()), nodes, now));
    }

    /** These plans, with the node states of the status. */
    public static PlanView of(ClusterStatus status, List<Plan> plans) {
        return new PlanView(plans, nodes(status), status.at());
    }

    private static Map<NodeId, NodeState> nodes(ClusterStatus status) {
        Map<NodeId, NodeState> nodes = new HashMap<>();
        status.datacenters().forEach(part -> part.nodes().forEach(n -> nodes.put(n.node(), n)));
        return nodes;
    }

    /** A phase across datacenters. */
    public record MergedPhase(String name, List<StepState> steps, Instant now) {
        StepState.Status status() {
            if (has(StepState.Status.FAILED)) {
                return StepState.Status.FAILED;
            }
            if (steps.stream().allMatch(s -> s.status().isOver())) {
                return StepState.Status.DONE;
            }
            if (has(StepState.Status.RUNNING)
                    || steps.stream().anyMatch(s -> s.status().isOver())) {
                return StepState.Status.RUNNING;
            }
            return has(StepState.Status.WAITING) ? StepState.Status.WAITING : StepState.Status.PENDING;
        }

        Optional<Duration> elapsed() {
            return steps.stream()
                    .map(StepState::startedAt)
                    .flatMap(Stream::ofNullable)
                    .min(Instant::compareTo)
                    .map(start -> Duration.between(start, end()));
        }

        private Instant end() {
            boolean over = steps.stream().allMatch(s -> s.endedAt() != null);
            return over
                    ? steps.stream()
                            .map(StepState::endedAt)
                            .flatMap(Stream::ofNullable)
                            .max(Instant::compareTo)
                            .orElse(now)
                    : now;
        }

        private boolean has(StepState.Status status) {
            return steps.stream().anyMatch(s -> s.status() == status);
        }
    }

    public List<MergedPhase> phases() {
        Map<String, List<StepState>> byName = new LinkedHashMap<>();
        for (Plan plan : plans) {
            for (Phase phase : plan.phases()) {
                List<StepState> steps = byName.computeIfAbsent(phase.name(), n -> new ArrayList<>());
                phase.steps()
                        .forEach(s ->
                                steps.add(plans.size() > 1 ? named(s, plan.id().datacenter()) : s));
            }
        }
        return byName.entrySet().stream()
                .map(e -> new MergedPhase(e.getKey(), e.getValue(), now))
                .toList();
    }

    /** Steps of several datacenters may have the same name. */
    private static StepState named(StepState s, DatacenterName datacenter) {
        String name = StepKind.node(s).isPresent() ? s.name() : datacenter + " " + s.name();
        return new StepState(
                name,
                s.type(),
                s.args(),
                s.memory(),
                s.status(),
                s.startedAt(),
                s.endedAt(),
                s.reason(),
                s.since(),
                s.problem(),
                s.change());
    }

    /** The node that a step changes, if there is one. */
    public Optional<NodeState> node(StepState step) {
        return StepKind.node(step).flatMap(id -> nodes.values().stream()
                .filter(n -> n.node().value().equals(id))
                .findFirst());
    }

    /** Running time of a step. */
    public Optional<Duration> elapsed(StepState step) {
        return Optional.ofNullable(step.startedAt())
                .map(start -> Duration.between(start, step.endedAt() == null ? now : step.endedAt()));
    }

    public SortedSet<String> datacenters() {
        SortedSet<String> names = new TreeSet<>();
        plans.forEach(p -> names.add(p.id().datacenter().value()));
        return names;
    }

    public Duration elapsed() {
        Instant start =
                plans.stream().map(Plan::createdAt).min(Instant::compareTo).orElse(now);
        boolean over = plans.stream().allMatch(p -> p.endedAt() != null);
        Instant end = over
                ? plans.stream()
                        .map(Plan::endedAt)
                        .flatMap(Stream::ofNullable)
                        .max(Instant::compareTo)
                        .orElse(now)
                : now;
        return Duration.between(start, end);
    }

    public boolean isComplete() {
        return plans.stream().allMatch(p -> p.status() == PlanStatus.COMPLETE);
    }

    /** The first plan that does not continue without a user. */
    public Optional<Plan> stopped() {
        return plans.stream()
                .filter(p -> p.status() == PlanStatus.FAILED
                        || p.status() == PlanStatus.ABORTED
                        || p.status() == PlanStatus.SUPERSEDED)
                .findFirst();
    }
}
