package io.ringmaster.lab.experiment;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Measured.Point;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.page.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** The page of {@link Collectors}. */
record CollectorsReport(Experiment experiment, Measured measured) {
    private static final double GOAL = 2;
    private static final String RATE = "p99.9 below 10 ms";
    private static final List<String> HELD =
            List.of(".op_rate", ".cpu", ".idle", ".stopped", ".longest_stop", ".hiccup");
    private static final List<String> TIMES =
            List.of(".op_rate", ".mean", ".p50", ".p95", ".p99", ".p99.9", ".max", ".hiccup");

    Report report() {
        return new Report(
                "A collector that keeps " + RATE + " at twice the rate of G1 on 17, Cassandra's default (source"
                        + " 004: 10 times, with Zing).",
                verdict(),
                List.of(levels(), passes(), atHeld(), times(), stops()),
                new CollectorsPlots(measured, rows()).plots(),
                new CollectorsText(measured, plan()).text(),
                CollectorsText.SCALE);
    }

    private CollectorsPlan plan() {
        return CollectorsPlan.of(measured.about().form());
    }

    private List<JvmRow> rows() {
        return JvmRow.of(measured.about().form());
    }

    private Conclusion verdict() {
        if (measured.about().form() == Form.SHORT) {
            return new Conclusion(
                    Conclusion.Kind.NOT_COMPARABLE, "Two collectors climb two rungs, with windows of a few seconds.");
        }
        CollectorChoice choice = new CollectorChoice(measured);
        Optional<Figure> today = choice.rate(JvmRow.G1_17);
        if (today.isEmpty()) {
            return new Conclusion(
                    Conclusion.Kind.INVALID,
                    "There is no rate of G1 on 17 to compare with: "
                            + measured.reason(ServiceLevel.P999.key(JvmRow.G1_17)) + ".");
        }
        List<JvmRow> best = choice.best();
        for (JvmRow row : JvmRow.values()) {
            boolean counts = row == JvmRow.G1_17 || best.contains(row);
            if (counts && choice.rate(row).filter(this::isSingle).isPresent()) {
                return new Conclusion(
                        Conclusion.Kind.INVALID, "There was no time for the second pass of " + row.text() + ".");
            }
        }
        double rate = choice.rate(best.get(0)).orElseThrow().value();
        if (rate == 0) {
            return new Conclusion(
                    Conclusion.Kind.MISSED, "No collector keeps " + RATE + " at " + rate(plan().lowest()) + ".");
        }
        if (best.contains(JvmRow.G1_17)) {
            return new Conclusion(
                    Conclusion.Kind.MISSED,
                    "None is better than Cassandra's default: G1 on 17 keeps " + RATE + " at " + rate(rate)
                            + orMore(JvmRow.G1_17) + ".");
        }
        return against(best, rate, today.get());
    }

    /** Whether a rate is of one pass only, for lack of time. */
    private boolean isSingle(Figure rate) {
        return rate.runs() < CollectorsPlan.PASSES;
    }

    /** @param today rate of G1 on 17; 0 where it keeps no rung: then it is below the lowest */
    private Conclusion against(List<JvmRow> best, double rate, Figure today) {
        boolean none = today.value() == 0;
        double most = rate / (none ? plan().lowest() : today.value());
        double least = rate / Math.max(plan().lowest(), Objects.requireNonNullElse(today.high(), today.value()));
        Conclusion.Kind kind = least >= GOAL
                ? Conclusion.Kind.REACHED
                : none ? Conclusion.Kind.NOT_COMPARABLE : Conclusion.Kind.MISSED;
        String times = least == most ? Cells.number(most) : Cells.number(least) + " to " + Cells.number(most);
        return new Conclusion(
                kind,
                names(best) + (best.size() == 1 ? " keeps " : " keep ") + RATE + " at " + rate(rate)
                        + orMore(best.get(0)) + ", " + (none ? "more than " : "") + times + " times as many as G1 on 17"
                        + (none ? ", which does not keep it at " + rate(plan().lowest()) : "") + ".");
    }

    private static String names(List<JvmRow> rows) {
        List<String> names = rows.stream().map(JvmRow::text).toList();
        int last = names.size() - 1;
        return last == 0 ? names.get(0) : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }

    private static String rate(double perSecond) {
        return Cells.number(perSecond) + " requests/s";
    }

    private String orMore(JvmRow row) {
        return measured.figure(ServiceLevel.P999.key(row) + HeldRates.OPEN).isPresent() ? " or more" : "";
    }

    private Table levels() {
        List<String> fixed = List.of(".cpu", ".resident", ".idle");
        List<List<String>> rows = new ArrayList<>();
        rows.add(source004("source 004: HotSpot", JvmRow.G1_17));
        rows.add(source004("source 004: Zing", JvmRow.ZGC_21));
        for (JvmRow row : rows()) {
            List<String> cells = row(row.text(), List.of(ServiceLevel.values()), level -> held(level.key(row)));
            fixed.forEach(end -> cells.add(Cells.cell(measured, row.key() + CollectorRounds.KEY + end)));
            rows.add(cells);
        }
        return new Table(
                "The highest rung that keeps a service level: the lower of two passes, with both in parentheses; and at "
                        + plan().lowest() + "/s the processor time of the node, its memory, and idle cores:",
                List.of(
                        "collector",
                        ServiceLevel.P99.text(),
                        ServiceLevel.P999.text(),
                        "processor time",
                        "resident",
                        "idle"),
                rows);
    }

    private List<String> source004(String title, JvmRow row) {
        List<String> cells =
                row(title, List.of(ServiceLevel.values()), level -> Cells.seed(experiment.seeds(), level.key(row)));
        cells.addAll(List.of("", "", ""));
        return cells;
    }

    private String held(String key) {
        boolean single = measured.figure(key).filter(this::isSingle).isPresent();
        return (measured.figure(key + HeldRates.OPEN).isPresent() ? "at least " : "")
                + Cells.cell(measured, key)
                + (measured.figure(key + HeldRates.FULL).isPresent() ? ", machine full" : "")
                + (single ? ", one pass" : "");
    }

    private Table passes() {
        List<String> columns = new ArrayList<>(List.of("collector"));
        for (ServiceLevel level : ServiceLevel.values()) {
            for (int pass = 1; pass <= CollectorsPlan.PASSES; pass++) {
                columns.add(level.percentile() + ", pass " + pass);
            }
        }
        List<List<String>> rows = new ArrayList<>();
        for (JvmRow row : rows()) {
            List<String> cells = new ArrayList<>(List.of(row.text()));
            for (ServiceLevel level : ServiceLevel.values()) {
                for (int pass = 1; pass <= CollectorsPlan.PASSES; pass++) {
                    cells.add(end(level.key(row), pass));
                }
            }
            rows.add(cells);
        }
        return new Table(
                "Where each pass ended, at the rung that missed or at the highest, with that percentile of each window:",
                columns,
                rows);
    }

    private String end(String key, int pass) {
        List<Point> windows = measured.points(key + HeldRates.pass(pass));
        if (windows.isEmpty()) {
            return measured.reason(key + HeldRates.pass(pass));
        }
        List<String> times =
                windows.stream().map(window -> Cells.number(window.y())).toList();
        return Cells.value(windows.get(0).x(), "/s") + ": " + String.join(", ", times) + " ms";
    }

    private Table times() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(source001("source 001: CMS, JDK 8", JvmRow.CMS_11));
        rows.add(source001("source 001: G1, JDK 8", JvmRow.G1_11));
        rows().forEach(row -> rows.add(fixed(row, TIMES)));
        return new Table(
                plan().lowest() + " requests/s for all, with the lowest and highest window:",
                List.of("collector", "operations", "mean", "p50", "p95", "p99", "p99.9", "max", "machine's pause"),
                rows);
    }

    private Table stops() {
        List<String> columns = new ArrayList<>(List.of("collector", "time stopped", "longest stop"));
        JvmEvent.ALL.forEach(event -> columns.add(event.title()));
        List<List<String>> rows = new ArrayList<>();
        for (JvmRow row : rows()) {
            List<String> cells = fixed(row, List.of(".stopped", ".longest_stop"));
            for (JvmEvent event : JvmEvent.ALL) {
                String key = row.key() + CollectorRounds.KEY + event.end();
                cells.add(event.isOf(row.collector()) ? Cells.cell(measured, key) : "-");
            }
            rows.add(cells);
        }
        return new Table(
                "What the JVMs wrote about the windows at " + plan().lowest() + "/s; -: the collector has none:",
                columns,
                rows);
    }

    /** What a collector did in the windows of its own rate: without young pauses and cycles it did not collect. */
    private Table atHeld() {
        List<List<String>> rows = new ArrayList<>();
        for (JvmRow row : rows()) {
            String key = row.key() + CollectorRounds.HELD;
            boolean none =
                    measured.figure(ServiceLevel.P999.key(row) + HeldRates.NONE).isPresent();
            Function<String, String> cell = end -> none ? "no rung kept" : Cells.cell(measured, key + end);
            List<String> cells = row(row.text(), HELD, cell);
            JvmEvent.WORK.forEach(event -> cells.add(event.isOf(row.collector()) ? cell.apply(event.end()) : "-"));
            rows.add(cells);
        }
        List<String> columns = new ArrayList<>(List.of(
                "collector", "answered", "processor time", "idle", "time stopped", "longest stop", "machine's pause"));
        JvmEvent.WORK.forEach(event -> columns.add(event.title()));
        return new Table(
                "The windows at the rate with p99.9 below 10 ms, of both passes; -: the collector has none:",
                columns,
                rows);
    }

    private List<String> source001(String title, JvmRow row) {
        return row(title, TIMES, end -> Cells.seed(experiment.seeds(), row.key() + CollectorRounds.KEY + end));
    }

    private List<String> fixed(JvmRow row, List<String> ends) {
        return row(row.text(), ends, end -> Cells.cell(measured, row.key() + CollectorRounds.KEY + end));
    }

    private static <T> List<String> row(String title, List<T> keys, Function<T, String> cell) {
        List<String> cells = new ArrayList<>(List.of(title));
        keys.forEach(key -> cells.add(cell.apply(key)));
        return cells;
    }
}
