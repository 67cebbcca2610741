package io.ringmaster.cli.screen;

import io.ringmaster.model.node.RingView.KeyspaceSeen;
import io.ringmaster.model.node.RingView.Repaired;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.api.RepairState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Screen of repairs: running repairs, and the last repair of each range. */
public final class RepairScreen {
    private RepairScreen() {}

    public static List<Line> list(ClusterStatus status, Instant now, int width) {
        List<Line> lines = new ArrayList<>();
        status.plans().stream()
                .filter(p -> p.operation().equals(OperationNames.REPAIR)
                        && !p.status().isOver())
                .forEach(p -> lines.addAll(Footers.wrapped(running(p), width, 2, Line.of(running(p)))));
        lines.addAll(schedule(status.repair(), now, width));
        TextTable table = new TextTable()
                .column("KEYSPACE")
                .text("NODE")
                .number("REPAIRED")
                .number("OLDEST, AGO");
        for (NodeState node :
                status.datacenters().stream().flatMap(d -> d.nodes().stream()).toList()) {
            for (KeyspaceSeen keyspace : node.keyspaces()) {
                Repaired repaired = keyspace.repaired();
                if (repaired != null) {
                    table.row(
                            keyspace.name(),
                            node.node(),
                            Formats.percent(repaired.share()),
                            age(repaired.oldest(), now));
                }
            }
        }
        lines.addAll(table.isEmpty() ? List.of(Line.of("no node reports ranges of its own")) : table.lines(width));
        return lines;
    }

    private static List<Line> schedule(@Nullable RepairState repair, Instant now, int width) {
        if (repair == null) {
            return List.of();
        }
        Instant due = repair.due();
        String next = due == null
                ? "the next run is not known yet"
                : due.isAfter(now)
                        ? "next in " + Formats.elapsed(Duration.between(now, due)) + ", at " + due
                        : "due now";
        String text =
                "every " + repair.every() + " at intensity " + repair.intensity() + "; " + next + ": " + repair.why();
        return Footers.wrapped(text, width, 2, Line.of(text));
    }

    private static String age(@Nullable Instant oldest, Instant now) {
        return oldest == null ? "never" : Formats.elapsed(Duration.between(oldest, now));
    }

    private static String running(Plan plan) {
        String step = plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .filter(s -> !s.status().isOver() && s.reason() != null)
                .findFirst()
                .map((StepState s) -> s.name() + ": " + s.reason())
                .orElse("starts");
        return plan.id() + " " + plan.status().name().toLowerCase(Locale.ROOT) + ", " + step;
    }
}
