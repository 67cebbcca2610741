package io.ringmaster.lab.experiment;

import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Table;
import java.util.List;
import java.util.stream.Stream;

/** The tables of {@link Million} that show how its figures came about. */
record MillionConditions(MillionRows rows) {
    List<Table> tables() {
        return List.of(ladders(), conditions(), periods(), readBack());
    }

    private Table ladders() {
        return new Table(
                "The step that was held, and the one above it. Use is the share of the quota of " + SixNodes.CORES
                        + " cores:",
                List.of("", "held, a node", "p95", "use", "missed, a node", "p95", "failed", "use"),
                rows.tried().stream()
                        .map(size -> Stream.concat(
                                        Stream.of(size.toString()),
                                        Stream.of(
                                                        ".rung",
                                                        ".held.p95",
                                                        ".held.used",
                                                        ".missed.rung",
                                                        ".missed.p95",
                                                        ".missed.failed",
                                                        ".missed.used")
                                                .map(figure -> rows.cell(size, figure)))
                                .toList())
                        .toList());
    }

    private Table conditions() {
        return new Table(
                "Conditions: windows of 5 s without limits, and the share of the nodes' time that their compilers"
                        + " took in the last; what a node uses without load; idle processors of the machine:",
                List.of(
                        "",
                        "windows",
                        "compilers",
                        "a node without load",
                        "at the held rate",
                        "at 0.7 of it",
                        "missed"),
                rows.tried().stream()
                        .map(size -> Stream.concat(
                                        Stream.of(size.toString()),
                                        Stream.of(
                                                        ".warm.windows",
                                                        ".warm.compilers",
                                                        ".idle_cores",
                                                        ".held.idle",
                                                        ".hold.idle",
                                                        ".missed.idle")
                                                .map(figure -> Cells.cell(rows.measured(), size.key() + figure)))
                                .toList())
                        .toList());
    }

    private Table periods() {
        return new Table(
                "The first held rate at other periods of the same quota, which the kernel hands out in slices of "
                        + Cells.cell(rows.measured(), "quota.slice") + ":",
                List.of("period", "p50", "p95", "use of the quota", "throttled"),
                MillionChecks.PERIODS_MS.stream()
                        .map(ms -> Stream.concat(
                                        Stream.of(ms + " ms"),
                                        Stream.of(".p50", ".p95", ".used", ".throttled")
                                                .map(figure -> Cells.cell(rows.measured(), "period." + ms + figure)))
                                .toList())
                        .toList());
    }

    private Table readBack() {
        return new Table(
                "The acknowledged writes of one ring of the first size, read back at QUORUM:",
                List.of("", "writes", "lost, old or wrong"),
                List.of(List.of(
                        "at 0.7 of the held rate",
                        Cells.cell(rows.measured(), "verify.writes"),
                        Cells.cell(rows.measured(), "verify.bad"))));
    }
}
