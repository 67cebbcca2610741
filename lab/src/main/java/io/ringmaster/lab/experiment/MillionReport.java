package io.ringmaster.lab.experiment;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.experiment.MillionRows.MillionSize;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.page.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of {@link Million}. */
record MillionReport(Experiment experiment, MillionRows rows) {
    Report report() {
        return new Report(
                "Linear: the rate a node that keeps p95 at most 23 ms, and the processor time for a write, stay within"
                        + " 10 % of those of the smallest ring (3 nodes at RF 3, 1 node at RF 1).",
                verdict(),
                Stream.concat(Stream.of(figures(), linearity()), new MillionConditions(rows).tables().stream())
                        .toList(),
                new MillionPlots(rows).all(),
                MillionText.text(),
                MillionText.scale());
    }

    private Conclusion verdict() {
        for (MillionSize size : MillionRows.ALL) {
            Optional<String> invalid = rows.invalid(size);
            if (invalid.isPresent()) {
                return new Conclusion(Conclusion.Kind.INVALID, "The row of " + size + " is " + invalid.get() + ".");
            }
        }
        List<MillionSize> had = MillionRows.ALL.stream().filter(rows::has).toList();
        if (had.isEmpty()) {
            return new Conclusion(Conclusion.Kind.INVALID, "No size of the ring was measured.");
        }
        if (rows.compared().isEmpty()) {
            return new Conclusion(
                    Conclusion.Kind.NOT_COMPARABLE,
                    "Only " + had.stream().map(MillionSize::toString).collect(Collectors.joining(" and "))
                            + " was measured (" + cost(had.get(0)) + "): whether it is linear needs two sizes.");
        }
        Optional<MillionSize> lacking =
                MillionRows.ALL.stream().filter(size -> !rows.has(size)).findFirst();
        if (lacking.isPresent()) {
            return new Conclusion(
                    Conclusion.Kind.INVALID,
                    "The row of " + lacking.get() + " is missing: " + rows.cell(lacking.get(), ".cpu_s_per_million")
                            + ".");
        }
        List<MillionSize> open = had.stream().filter(rows::isOpen).toList();
        if (!open.isEmpty()) {
            return new Conclusion(
                    Conclusion.Kind.INVALID,
                    "The ladder of " + open.get(0) + " ended before a step missed, so that its rate is a lower bound.");
        }
        List<MillionSize> not = rows.compared().stream()
                .filter(size -> !rows.linearity(size).orElseThrow().isLinear())
                .toList();
        return new Conclusion(
                not.isEmpty() ? Conclusion.Kind.REACHED : Conclusion.Kind.MISSED,
                cost(rows.compared().get(0).base()) + "; "
                        + (not.isEmpty()
                                ? "all " + rows.compared().size() + " larger rings are linear"
                                : "not linear: "
                                        + not.stream().map(this::reason).collect(Collectors.joining("; ")))
                        + ".");
    }

    private String cost(MillionSize size) {
        return size + ": " + rows.cell(size, ".cpu_s_per_million") + " writes";
    }

    private String reason(MillionSize size) {
        return size + " (" + rows.linearity(size).orElseThrow().reason() + ")";
    }

    private Table figures() {
        List<List<String>> all = new ArrayList<>();
        all.add(source("source (002), RF 3, QUORUM", "quorum", 1_000_000));
        all.add(source("source (002), RF 3, ONE", "one", 1_400_000));
        for (MillionSize size : MillionRows.ALL) {
            all.add(Stream.concat(
                            Stream.of(size.toString(), rows.atLeast(size, ".writes"), rows.atLeast(size, ".node")),
                            Stream.of(
                                            ".p50",
                                            ".p95",
                                            ".cpu_s_per_million",
                                            ".generator_cpu_s_per_million",
                                            ".idle_share",
                                            ".throttled",
                                            ".cost",
                                            ".text_cost")
                                    .map(figure -> rows.cell(size, figure)))
                    .toList());
        }
        return new Table(
                "Held writes/s of one ring at QUORUM; the other columns are from a load of 0.7 times that rate. Cost is"
                        + " for a million writes, at the prices of the source's $330 and of its $0.07:",
                List.of(
                        "",
                        "writes/s",
                        "a node",
                        "p50",
                        "p95",
                        "nodes",
                        "generator",
                        "idle share",
                        "throttled",
                        "cost at $330",
                        "cost at $0.07"),
                all);
    }

    private List<String> source(String title, String key, double writes) {
        return List.of(
                title,
                Cells.seed(experiment.seeds(), key + ".writes"),
                Cells.value(writes / Million.SOURCE_NODES, "/s"),
                Cells.seed(experiment.seeds(), key + ".p50"),
                Cells.seed(experiment.seeds(), key + ".p95"),
                "",
                "",
                "",
                "",
                Cells.seed(experiment.seeds(), key + ".cost"),
                Cells.seed(experiment.seeds(), key + ".text_cost"));
    }

    private Table linearity() {
        return new Table(
                "Against the smallest ring of the same RF; *without load* and *each write* are the two parts of the"
                        + " processor time:",
                List.of("", "rate a node", "processor time", "without load", "each write", "linear, or why not"),
                rows.tried().stream().map(this::compared).toList());
    }

    private List<String> compared(MillionSize size) {
        Optional<Linearity> linearity = rows.linearity(size);
        String none = rows.has(size) ? "the smallest ring has no figure" : rows.cell(size, ".cpu_s_per_million");
        return List.of(
                size.toString(),
                linearity.map(l -> Cells.value(l.rate(), "times")).orElse(none),
                linearity.map(l -> Cells.value(l.cpu(), "times")).orElse(none),
                rows.cell(size, ".idle_cpu_s_per_million"),
                rows.cell(size, ".write_cpu_s_per_million"),
                linearity
                        .map(l -> size.equals(size.base()) ? "the smallest" : l.reason())
                        .orElse(none));
    }
}
