package io.ringmaster.cli.screen;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Figures of loads beside plans. */
public final class LoadScreen {
    private LoadScreen() {}

    /** The loads that these plans store, each once. */
    public static List<Line> ofPlans(List<Plan> plans, int width) {
        return of(
                plans.stream()
                        .flatMap(p -> Stream.ofNullable(p.load()))
                        .distinct()
                        .toList(),
                width);
    }

    public static List<Line> of(List<PlanLoad> loads, int width) {
        List<Line> lines = new ArrayList<>();
        for (PlanLoad load : loads) {
            lines.addAll(Footers.wrapped("  load: " + load.what(), width, 8, null));
            lines.addAll(table(load).lines(width));
            if (load.failed() > 0) {
                String text = "    failed: " + errors(load.parts());
                lines.addAll(Footers.wrapped(text, width, 6, Line.of(Style.BAD, text)));
            }
        }
        return lines;
    }

    private static TextTable table(PlanLoad load) {
        TextTable table = new TextTable()
                .column("    ")
                .number("REQUESTS")
                .number("FAILED")
                .number("P50 MS")
                .number("P99 MS")
                .number("P99.9 MS")
                .number("MAX MS");
        for (PlanLoad.Part part : load.parts()) {
            row(table, part, "before", part.before());
            row(table, part, "during", part.during());
            row(table, part, "after", part.after());
        }
        return table;
    }

    private static void row(TextTable table, PlanLoad.Part part, String name, PlanLoad.Period period) {
        String failed = Long.toString(period.failed());
        table.row(
                "    " + part.datacenter() + " " + name,
                period.requests(),
                period.failed() > 0 ? Line.of(Style.BAD, failed) : failed,
                milliseconds(period.p50Ms()),
                milliseconds(period.p99Ms()),
                milliseconds(period.p999Ms()),
                milliseconds(period.maxMs()));
    }

    private static String milliseconds(@Nullable Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, "%.1f", value);
    }

    /** Reasons of failed requests, each once. */
    public static String errors(List<PlanLoad.Part> parts) {
        return parts.stream()
                .flatMap(p -> Stream.of(p.before(), p.during(), p.after()))
                .map(PlanLoad.Period::error)
                .filter(Objects::nonNull)
                .distinct()
                .collect(Collectors.joining("; "));
    }
}
