package io.ringmaster.cli.screen;

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

/** Plans: the list, and one operation's plans in all datacenters as one tree of phases and steps. */
public final class PlanScreen {
    private static final int WIDE_ENOUGH_FOR_MACHINES = 116;
    private static final int STEPS_SHOWN = 40;
    /** The type of the step that starts a node and waits for it. */
    private static final String STARTS_NODE = "deploy-node";

    /** Shorter stages would be shown as nothing. */
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
                        atWork(p)));
        List<Line> lines = new ArrayList<>(table.isEmpty() ? List.of(Line.of("no plans")) : table.lines(width));
        lines.addAll(Footers.unanswered(plans.unanswered(), now, width));
        return lines;
    }

    private static String stepCount(Plan plan) {
        List<StepState> steps =
                plan.phases().stream().flatMap(p -> p.steps().stream()).toList();
        return steps.stream().filter(s -> s.status().isOver()).count() + "/" + steps.size();
    }

    private static String atWork(Plan plan) {
        if (plan.problem() != null) {
            return plan.problem().line();
        }
        return plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .filter(s -> s.status() == StepState.Status.RUNNING || s.status() == StepState.Status.WAITING)
                .findFirst()
                .map(s -> s.name() + (s.reason() == null ? "" : ": " + s.reason()))
                .orElse("");
    }

    /** The tree with everything in it. */
    public static List<Line> show(PlanView picture, int width) {
        List<Line> lines = new ArrayList<>();
        lines.add(headline(picture, width));
        for (PlanView.Stretch stretch : picture.stretches()) {
            lines.add(phase(stretch).cut(width));
            lines.addAll(steps(picture, stretch, width));
        }
        for (Plan plan : picture.plans()) {
            if (plan.problem() != null) {
                String text = "  " + plan.id() + " failed: " + plan.problem().message();
                lines.addAll(Footers.wrapped(text, width, 4, Line.of(Style.BAD, text)));
                Advice next = plan.problem().nextStep();
                lines.addAll(Footers.wrapped(
                        "    try: " + (next == null ? "ringmaster plan show " + plan.id() : next.toString()),
                        width,
                        9,
                        null));
            }
        }
        return lines;
    }

    /** What the user should know before or after, each note once; one that does not hold everywhere says where. */
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

    private static Line headline(PlanView picture, int width) {
        Plan first = picture.plans().get(0);
        String ids = picture.plans().stream().map(p -> p.id().value()).collect(Collectors.joining(", "));
        long steps =
                picture.stretches().stream().mapToLong(s -> s.steps().size()).sum();
        Line left = Line.of(Style.BOLD, "plan " + ids)
                .and("  " + first.operation() + " " + first.cluster() + "  spec " + first.specVersion() + ", "
                        + Formats.count(steps, "step"));
        Line right = status(picture).and("  " + Formats.clock(picture.elapsed()));
        return left.padded(width - right.width()).and(right).cut(width);
    }

    private static Line status(PlanView picture) {
        PlanStatus worst = picture.plans().stream()
                .map(Plan::status)
                .filter(s -> s != PlanStatus.COMPLETE)
                .max(Comparator.comparing(s -> s == PlanStatus.FAILED ? 2 : s == PlanStatus.PAUSED ? 1 : 0))
                .orElse(PlanStatus.COMPLETE);
        return StatusStyle.of(worst);
    }

    private static Line phase(PlanView.Stretch stretch) {
        Line line = Line.of("  " + stretch.name())
                .padded(20)
                .and(" ")
                .and(StatusStyle.of(stretch.status()).padded(8))
                .and(Line.of(stretch.elapsed().map(Formats::elapsed).orElse("")).rightAligned(8));
        return isCollapsed(stretch) ? line.and("  " + summary(stretch)) : line;
    }

    /** Steps that concern no node and are over say nothing that one line cannot. */
    private static boolean isCollapsed(PlanView.Stretch stretch) {
        return stretch.steps().stream().allMatch(s -> s.status().isOver() || s.status() == StepState.Status.PENDING)
                && stretch.steps().stream().noneMatch(s -> s.name().contains("node-"));
    }

    private static String summary(PlanView.Stretch stretch) {
        return stretch.steps().stream()
                .map(StepState::reason)
                .filter(r -> r != null && !r.isEmpty())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private static List<Line> steps(PlanView picture, PlanView.Stretch stretch, int width) {
        if (isCollapsed(stretch)) {
            return List.of();
        }
        boolean machines = width >= WIDE_ENOUGH_FOR_MACHINES;
        TextTable table = new TextTable().column("");
        if (machines) {
            table.column("").column("");
        }
        table.column("").number("").text("");
        List<StepState> shown = shown(stretch.steps());
        for (StepState step : shown) {
            Optional<NodeState> node = picture.node(step);
            List<Object> cells = new ArrayList<>();
            cells.add(Line.of("    " + step.name()));
            if (machines) {
                cells.add(node.map(n -> Footers.orDash(n.rack())).orElse(""));
                cells.add(node.map(n -> Footers.orDash(n.machine())).orElse(""));
            }
            cells.add(state(step, node));
            cells.add(picture.elapsed(step).map(Formats::elapsed).orElse(""));
            cells.add(detail(picture, step, node));
            table.row(cells.toArray());
        }
        List<Line> lines = new ArrayList<>(table.lines(width));
        int hidden = stretch.steps().size() - shown.size();
        if (hidden > 0) {
            lines.add(Line.of(
                    Style.DIM, "    and " + Formats.count(hidden, "step") + " that are done or have not begun"));
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

    private static Line detail(PlanView picture, StepState step, Optional<NodeState> node) {
        if (step.problem() != null) {
            return Line.of(Style.BAD, step.problem().line());
        }
        if (step.status() == StepState.Status.FORCED) {
            return Line.of(Style.WARN, "declared done by hand");
        }
        if (step.status() == StepState.Status.DONE) {
            String stages = stages(step, node);
            return Line.of(stages.isEmpty() ? Footers.orDash(step.reason()) : stages);
        }
        String since =
                step.since() == null ? "" : ", since " + Formats.elapsed(Duration.between(step.since(), picture.now()));
        String reason = reason(step, node);
        return Line.of(reason.isEmpty() ? "" : reason + since);
    }

    /** What it waits for; a reason that only repeats the node's mode and activity is no wait. */
    static String reason(StepState step, Optional<NodeState> node) {
        if (step.reason() == null) {
            return "";
        }
        String mode = node.map(n -> n.mode() + ": ").orElse(" ");
        if (step.reason().startsWith(mode)) {
            return step.reason().substring(mode.length());
        }
        return (step.status() == StepState.Status.WAITING ? "waits: " : "") + step.reason();
    }

    /** The stages of the start, where the step started its node; empty of others. */
    static String stages(StepState step, Optional<NodeState> node) {
        boolean live = step.reason() != null && step.reason().startsWith("live: ");
        return step.type().equals(STARTS_NODE) && !live
                ? node.map(PlanScreen::stages).orElse("")
                : "";
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
