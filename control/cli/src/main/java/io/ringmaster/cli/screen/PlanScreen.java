package io.ringmaster.cli.screen;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.model.error.Advice;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Screens of plans: the list, and the plans of one operation in all datacenters as one tree of phases and steps. */
public final class PlanScreen {
    private static final int WIDE_ENOUGH_FOR_MACHINES = 116;
    private static final int STEPS_SHOWN = 40;

    /** Shorter stages would round to zero. */
    private static final int SHOWN_FROM_MS = 50;

    private PlanScreen() {}

    public static List<Line> list(FleetList<Plan> plans, Instant now, int width) {
        TextTable table = new TextTable()
                .column("PLAN")
                .text("CLUSTER")
                .column("OPERATION")
                .number("SPEC")
                .column("STATE")
                .number("STEPS")
                .number("TOOK")
                .text("BY")
                .text("NOW");
        plans.items().stream()
                .sorted(Comparator.comparing(Plan::createdAt).reversed())
                .forEach(p -> table.row(
                        p.id(),
                        p.cluster(),
                        p.operation(),
                        p.specVersion(),
                        StatusStyle.of(p.status()),
                        stepCount(p),
                        Formats.elapsed(Duration.between(p.createdAt(), p.endedAt() == null ? now : p.endedAt())),
                        p.requestedBy(),
                        running(p)));
        List<Line> lines = new ArrayList<>(table.isEmpty() ? List.of(Line.of("no plans")) : table.lines(width));
        lines.addAll(Footers.unanswered(plans.unanswered(), now, width));
        return lines;
    }

    private static String stepCount(Plan plan) {
        List<StepState> steps =
                plan.phases().stream().flatMap(p -> p.steps().stream()).toList();
        return steps.stream().filter(s -> s.status().isOver()).count() + "/" + steps.size();
    }

    private static String running(Plan plan) {
        if (plan.problem() != null) {
            return Invocation.line(plan.problem());
        }
        return plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .filter(s -> s.status() == StepState.Status.RUNNING || s.status() == StepState.Status.WAITING)
                .findFirst()
                .map(s -> s.name() + (s.reason() == null ? "" : ": " + s.reason()))
                .orElse("");
    }

    /** The whole tree. */
    public static List<Line> show(PlanView view, int width) {
        List<Line> lines = new ArrayList<>();
        lines.add(headline(view, width));
        for (PlanView.MergedPhase phase : view.phases()) {
            lines.add(phase(phase).cut(width));
            lines.addAll(steps(view, phase, width));
        }
        for (Plan plan : view.plans()) {
            if (plan.problem() != null) {
                String text = "  " + plan.id() + " failed: " + plan.problem().message();
                lines.addAll(Footers.wrapped(text, width, 4, Line.of(Style.BAD, text)));
                Advice next = plan.problem().nextStep();
                lines.addAll(Footers.wrapped(
                        "    try: " + (next == null ? PROGRAM + " plan show " + plan.id() : Invocation.wording(next)),
                        width,
                        9,
                        null));
            }
        }
        return lines;
    }

    /** Notes of the plans, each once; a note that does not hold in every datacenter names its datacenters. */
    public static List<Line> notes(List<Plan> plans, int width) {
        return plans.stream()
                .flatMap(p -> p.notes().stream())
                .distinct()
                .flatMap(note -> Footers.wrapped("  note" + where(note, plans) + ": " + note, width, 8, null).stream())
                .toList();
    }

    private static String where(String note, List<Plan> plans) {
        List<Plan> with = plans.stream().filter(p -> p.notes().contains(note)).toList();
        return with.size() == plans.size()
                ? ""
                : with.stream().map(p -> p.id().datacenter().value()).collect(Collectors.joining(", ", " (", ")"));
    }

    private static Line headline(PlanView view, int width) {
        Plan first = view.plans().get(0);
        String ids = view.plans().stream().map(p -> p.id().value()).collect(Collectors.joining(", "));
        long steps = view.phases().stream().mapToLong(s -> s.steps().size()).sum();
        Line left = Line.of(Style.BOLD, "plan " + ids)
                .and("  " + first.operation() + " " + first.cluster() + "  spec " + first.specVersion() + ", "
                        + Formats.count(steps, "step"));
        Line right = status(view).and("  " + Formats.clock(view.elapsed()));
        return left.padded(width - right.width()).and(right).cut(width);
    }

    private static Line status(PlanView view) {
        PlanStatus worst = view.plans().stream()
                .map(Plan::status)
                .filter(s -> s != PlanStatus.COMPLETE)
                .max(Comparator.comparing(s -> s == PlanStatus.FAILED ? 2 : s == PlanStatus.PAUSED ? 1 : 0))
                .orElse(PlanStatus.COMPLETE);
        return StatusStyle.of(worst);
    }

    private static Line phase(PlanView.MergedPhase phase) {
        Line line = Line.of("  " + phase.name())
                .padded(20)
                .and(" ")
                .and(StatusStyle.of(phase.status()).padded(8))
                .and(Line.of(phase.elapsed().map(Formats::elapsed).orElse("")).rightAligned(8));
        return isCollapsed(phase) ? line.and("  " + summary(phase)) : line;
    }

    /** Finished phases without steps for single nodes fit into one line. */
    private static boolean isCollapsed(PlanView.MergedPhase phase) {
        return phase.steps().stream().allMatch(s -> s.status().isOver() || s.status() == StepState.Status.PENDING)
                && phase.steps().stream().noneMatch(StepKind::concernsOneNode);
    }

    private static String summary(PlanView.MergedPhase phase) {
        return phase.steps().stream()
                .map(StepState::reason)
                .filter(r -> r != null && !r.isEmpty())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private static List<Line> steps(PlanView view, PlanView.MergedPhase phase, int width) {
        if (isCollapsed(phase)) {
            return List.of();
        }
        boolean machines = width >= WIDE_ENOUGH_FOR_MACHINES;
        TextTable table = new TextTable().column("");
        if (machines) {
            table.column("").column("");
        }
        table.column("").number("").text("");
        List<StepState> shown = shown(phase.steps());
        for (StepState step : shown) {
            Optional<NodeState> node = view.node(step);
            List<Object> cells = new ArrayList<>();
            cells.add(Line.of("    " + step.name()));
            if (machines) {
                cells.add(node.map(n -> Footers.orDash(n.rack())).orElse(""));
                cells.add(node.map(n -> Footers.orDash(n.machine())).orElse(""));
            }
            cells.add(state(step, node));
            cells.add(view.elapsed(step).map(Formats::elapsed).orElse(""));
            cells.add(detail(view, step, node));
            table.row(cells.toArray());
        }
        List<Line> lines = new ArrayList<>(table.lines(width));
        int hidden = phase.steps().size() - shown.size();
        if (hidden > 0) {
            lines.add(Line.of(
                    Style.DIM, "    and " + Formats.count(hidden, "step") + " that are done or have not started"));
        }
        return lines;
    }

    private static List<StepState> shown(List<StepState> steps) {
        if (steps.size() <= STEPS_SHOWN) {
            return steps;
        }
        return steps.stream()
                .filter(s -> !s.status().isOver() && s.status() != StepState.Status.PENDING)
                .limit(STEPS_SHOWN)
                .toList();
    }

    private static Line state(StepState step, Optional<NodeState> node) {
        boolean modeSaysMore = step.status() != StepState.Status.FAILED && step.status() != StepState.Status.PENDING;
        return node.isPresent() && modeSaysMore ? StatusStyle.of(node.get().mode()) : StatusStyle.of(step.status());
    }

    private static Line detail(PlanView view, StepState step, Optional<NodeState> node) {
        if (step.problem() != null) {
            return Line.of(Style.BAD, Invocation.line(step.problem()));
        }
        if (step.status() == StepState.Status.FORCED) {
            return Line.of(Style.WARN, "marked as done by the user");
        }
        if (step.status() == StepState.Status.DONE) {
            String stages = stages(step, node);
            return Line.of(stages.isEmpty() ? Footers.orDash(step.reason()) : stages);
        }
        String since =
                step.since() == null ? "" : ", since " + Formats.elapsed(Duration.between(step.since(), view.now()));
        String reason =
                StepKind.transfer(step, node).map(BackupScreen::progress).orElseGet(() -> reason(step, node));
        return Line.of(reason.isEmpty() ? "" : reason + since);
    }

    /** The reason of a wait, without the mode of the node, which has its own column. */
    static String reason(StepState step, Optional<NodeState> node) {
        if (step.reason() == null) {
            return "";
        }
        String mode = node.map(n -> n.mode() + ": ").orElse(" ");
        if (step.reason().startsWith(mode)) {
            return step.reason().substring(mode.length());
        }
        boolean saysSo =
                step.status() != StepState.Status.WAITING || step.reason().startsWith("waits ");
        return (saysSo ? "" : "waits: ") + step.reason();
    }

    /** Stages of the node's start; empty for steps that start no node. */
    static String stages(StepState step, Optional<NodeState> node) {
        return StepKind.startsNode(step) ? node.map(PlanScreen::stages).orElse("") : "";
    }

    /** {@code offer .1 launch .2 binaries .1 executor .6 daemon 3.4 joined 3.5}. */
    static String stages(NodeState node) {
        StringJoiner text = new StringJoiner(" ");
        for (Stage stage : Stage.values()) {
            Long took = node.stagesMs().get(stage);
            if (took != null && took >= SHOWN_FROM_MS) {
                text.add(stage.label() + " " + Formats.seconds(Duration.ofMillis(took)));
            }
        }
        return text.toString();
    }
}
