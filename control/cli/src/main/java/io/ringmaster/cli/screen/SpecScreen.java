package io.ringmaster.cli.screen;

import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.wire.api.ChangeAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Screens of specs: their versions, and the plans of a change. */
public final class SpecScreen {
    /** Between two changes: a comma before {@code cassandra_yaml.concurrent_reads: }. */
    private static final Pattern NEXT_FIELD = Pattern.compile(", (?=[a-z]\\w*(\\.[\\w-]+)*: )");

    private SpecScreen() {}

    public static List<Line> versions(List<SpecRecord> specs, int width) {
        TextTable table = new TextTable()
                .number("VERSION")
                .column("APPLIED AT")
                .column("IN")
                .text("BY")
                .column("CASSANDRA")
                .text("NODES");
        for (SpecRecord s : specs) {
            table.row(
                    s.version(),
                    s.appliedAt().truncatedTo(java.time.temporal.ChronoUnit.SECONDS),
                    s.appliedIn(),
                    s.appliedBy(),
                    s.spec().cassandraVersion(),
                    String.join(
                            " + ",
                            s.spec().datacenters().stream()
                                    .map(d -> d.nodes() + " in " + d.name())
                                    .toList()));
        }
        return table.lines(width);
    }

    /** The plans before they start. */
    public static List<Line> draft(ChangeAnswer draft, Instant now, int width) {
        List<Line> lines = new ArrayList<>();
        if (!draft.changed()) {
            lines.add(Line.of(draft.cluster() + " has this spec already (spec version " + draft.specVersion()
                    + "): nothing to do"));
        }
        draft.added().forEach(line -> lines.add(Line.of("the server adds  ").and(Style.BOLD, line)));
        lines.addAll(plans(draft.plans(), width));
        lines.addAll(Footers.unanswered(draft.unanswered(), now, width));
        return lines;
    }

    /** Each plan before it starts, and the notes. */
    static List<Line> plans(List<Plan> plans, int width) {
        List<Line> lines = new ArrayList<>();
        for (Plan plan : plans) {
            lines.add(Line.of(Style.BOLD, "plan for " + plan.id().datacenter())
                    .and("  " + plan.operation() + " " + plan.cluster() + ", spec version " + plan.specVersion()));
            plan.phases().forEach(phase -> lines.addAll(phase(phase, width)));
        }
        lines.addAll(PlanScreen.notes(plans, width));
        return lines;
    }

    private static List<Line> phase(Phase phase, int width) {
        List<Line> lines = new ArrayList<>();
        boolean several = phase.steps().size() > 1;
        String order = phase.strategy() == Phase.Strategy.PARALLEL ? "all at once" : "one after another";
        lines.add(Line.of("  " + phase.name()).and(several ? "  (" + order + ")" : ""));
        for (StepState step : phase.steps()) {
            lines.addAll(step(step, width));
        }
        return lines;
    }

    /** The whole reason, each changed field of the spec in a line of its own. */
    private static List<Line> step(StepState step, int width) {
        List<Line> lines = new ArrayList<>();
        String indent = "    " + step.name() + "  ";
        for (String part : NEXT_FIELD.split(step.reason() == null ? step.type() : step.reason(), -1)) {
            lines.addAll(Footers.wrapped(
                    indent + part, width, indent.length(), Line.of(indent).and(Style.DIM, part)));
            indent = " ".repeat(indent.length());
        }
        return lines;
    }

    /** Time since then: {@code 3m05s ago}. */
    static String ago(Instant then, Instant now) {
        return Formats.elapsed(Duration.between(then, now)) + " ago";
    }
}
