package io.ringmaster.cli.screen;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.NodeState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The progress of a plan as appended lines, one for each change: for pipes, CI logs and dumb terminals. */
public final class PlanLog {
    private static final int SUBJECT_WIDTH = 16;
    private static final int STATE_WIDTH = 9;

    private PlanLog() {}

    private record Entry(String subject, Line state, String text) {
        /** Elapsed times are left out, because they differ at each look. */
        boolean sameAs(@Nullable Entry other) {
            return other != null && state.equals(other.state) && Objects.equals(text, other.text);
        }
    }

    /** @param before the view of the last call; null at first, when all running and finished steps are printed */
    public static List<Line> changes(@Nullable PlanView before, PlanView after) {
        Map<String, Entry> old = before == null ? Map.of() : entries(before);
        List<Line> lines = new ArrayList<>();
        String clock = Formats.clock(after.elapsed());
        entries(after).forEach((key, entry) -> {
            if (!entry.sameAs(old.get(key))) {
                lines.add(Line.of(clock + "  ")
                        .and(Line.of(entry.subject()).padded(SUBJECT_WIDTH))
                        .and(" ")
                        .and(entry.state().padded(STATE_WIDTH))
                        .and(entry.text().isEmpty() ? "" : "  " + entry.text()));
            }
        });
        return lines;
    }

    private static Map<String, Entry> entries(PlanView view) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (Plan plan : view.plans()) {
            String text = plan.problem() == null ? "" : Invocation.line(plan.problem());
            entries.put("plan " + plan.id(), new Entry("plan " + plan.id(), StatusStyle.of(plan.status()), text));
        }
        for (PlanView.MergedPhase phase : view.phases()) {
            for (StepState step : phase.steps()) {
                if (step.status() != StepState.Status.PENDING) {
                    entries.put(phase.name() + " " + step.name(), entry(view, step));
                }
            }
        }
        return entries;
    }

    private static Entry entry(PlanView view, StepState step) {
        var node = view.node(step);
        boolean over = step.status().isOver() || step.status() == StepState.Status.FAILED;
        Line state = node.filter(n -> !over)
                .map(n -> StatusStyle.of(n.mode()))
                .orElseGet(() -> StatusStyle.of(step.status()));
        return new Entry(step.name(), state, text(step, node));
    }

    private static String text(StepState step, Optional<NodeState> node) {
        String stages = PlanScreen.stages(step, node);
        if (step.problem() != null) {
            return Invocation.line(step.problem());
        }
        if (step.status() == StepState.Status.DONE && !stages.isEmpty()) {
            return stages;
        }
        return PlanScreen.reason(step, node);
    }
}
