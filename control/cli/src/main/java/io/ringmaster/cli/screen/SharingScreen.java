package io.ringmaster.cli.screen;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.MachineNeed;
import io.ringmaster.model.fleet.MachineShape;
import io.ringmaster.model.fleet.SharingEstimate;
import io.ringmaster.model.fleet.SharingEstimate.Misfit;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.FleetList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Screen of an estimate: machines for clusters that share them, and for clusters apart. */
public final class SharingScreen {
    private SharingScreen() {}

    public static List<Line> show(FleetList<SharingEstimate> estimates, Instant now, int width) {
        List<Line> lines = new ArrayList<>();
        for (SharingEstimate estimate : estimates.items()) {
            if (!lines.isEmpty()) {
                lines.add(Line.EMPTY);
            }
            datacenter(lines, estimate, width);
        }
        lines.addAll(Footers.unanswered(estimates.unanswered(), now, width));
        return lines;
    }

    private static void datacenter(List<Line> lines, SharingEstimate estimate, int width) {
        String shapes = estimate.shapes().stream().map(SharingScreen::shape).collect(joining("; "));
        lines.addAll(Footers.wrapped(
                estimate.datacenter() + "  " + Formats.count(estimate.clusters(), "cluster") + ", "
                        + Formats.count(estimate.nodes(), "node") + "; machines of " + shapes + "; in "
                        + Formats.count(estimate.racks().size(), "rack"),
                width,
                5,
                null));
        if (estimate.clusters() > 0) {
            TextTable table = new TextTable()
                    .column("")
                    .number("MACHINES")
                    .number("CPU USED")
                    .number("MEMORY USED")
                    .number("DISK USED");
            row(table, "  shared", estimate.shared());
            row(table, "  apart", estimate.apart());
            lines.addAll(table.lines(width));
            lines.add(verdict(estimate));
        }
        Map<List<Problem>, List<ClusterName>> alike = estimate.misfits().stream()
                .collect(groupingBy(Misfit::problems, LinkedHashMap::new, mapping(Misfit::cluster, toList())));
        alike.forEach((problems, clusters) -> {
            lines.addAll(Footers.wrapped("  fits no machine and is not counted: " + names(clusters), width, 4, null));
            problems.forEach(p -> lines.addAll(Footers.wrapped("    " + Invocation.line(p), width, 6, null)));
        });
    }

    private static String names(List<ClusterName> clusters) {
        String first = clusters.stream().limit(3).map(ClusterName::value).collect(joining(", "));
        return clusters.size() <= 3 ? first : first + " and " + (clusters.size() - 3) + " more";
    }

    private static void row(TextTable table, String how, MachineNeed need) {
        table.row(how, need.machines(), percent(need.cpuUsed()), percent(need.memoryUsed()), percent(need.diskUsed()));
    }

    private static Line verdict(SharingEstimate estimate) {
        int fewer = estimate.apart().machines() - estimate.shared().machines();
        if (fewer < 0) {
            return Line.of(
                    Style.WARN,
                    "  sharing needs " + Formats.count(-fewer, "machine")
                            + " more in this order: declare the clusters with the largest nodes first");
        }
        return Line.of("  sharing saves " + Formats.count(fewer, "machine") + " of "
                + estimate.apart().machines() + ", " + percent(estimate.saved()));
    }

    private static String shape(MachineShape shape) {
        return Formats.cores(shape.cpuMillis()) + (shape.cpuMillis() == 1000 ? " core, " : " cores, ")
                + Formats.bytes(shape.memoryBytes()) + " memory, " + Formats.bytes(shape.diskBytes()) + " disk";
    }

    private static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.0f %%", fraction * 100);
    }
}
