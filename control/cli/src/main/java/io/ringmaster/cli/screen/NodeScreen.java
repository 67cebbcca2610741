package io.ringmaster.cli.screen;

import io.ringmaster.wire.api.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Nodes: the list, and all that is known of one. */
public final class NodeScreen {
    private NodeScreen() {}

    public static List<Line> list(List<NodeState> nodes, Instant now, int width) {
        Table table = new Table()
                .text("NODE")
                .column("RACK")
                .text("MACHINE")
                .text("CQL")
                .column("STATE")
                .number("FOR")
                .text("ACTIVITY");
        for (NodeState n : nodes) {
            table.row(
                    n.node(),
                    Notes.orDash(n.rack()),
                    Notes.orDash(n.machine()),
                    Notes.orDash(n.cqlEndpoint()),
                    Moods.of(n.mode()),
                    n.since() == null ? "-" : Amounts.elapsed(Duration.between(n.since(), now)),
                    n.silence() == null ? n.activity() : n.silence());
        }
        return table.isEmpty() ? List.of(Line.of("no nodes")) : table.lines(width);
    }

    public static List<Line> show(NodeState n, Instant now, int width) {
        List<Line> lines = new ArrayList<>();
        lines.add(Line.of(Tone.BOLD, n.node().value())
                .and("  ")
                .and(Moods.of(n.mode()))
                .and(n.since() == null ? "" : "  for " + Amounts.elapsed(Duration.between(n.since(), now))));
        lines.add(Notes.fact("activity", n.activity()));
        lines.add(Notes.fact("place", "rack " + Notes.orDash(n.rack()) + ", machine " + Notes.orDash(n.machine())));
        lines.add(Notes.fact("CQL", Notes.orDash(n.cqlEndpoint())));
        lines.add(Notes.fact("storage", n.storageEndpoint() + (n.seed() ? ", designated a seed" : "")));
        lines.add(Notes.fact(
                "spec",
                "wanted " + Notes.orDash(n.specVersion()) + ", running " + Notes.orDash(n.appliedSpecVersion())));
        if (!n.setLive().isEmpty()) {
            lines.add(Notes.fact(
                    "set live",
                    n.setLive().entrySet().stream()
                            .map(e -> e.getKey() + " " + e.getValue())
                            .collect(Collectors.joining(", "))));
        }
        lines.add(Notes.fact("release", Notes.orDash(n.releaseVersion())));
        lines.add(Notes.fact("schema", Notes.orDash(n.schemaVersion())));
        lines.add(Notes.fact("data", data(n)));
        lines.add(Notes.fact("start", n.stagesMs().isEmpty() ? "-" : PlanScreen.stages(n) + "  (seconds)"));
        lines.add(Notes.fact("exits", Notes.orDash(n.exits())));
        if (n.silence() != null) {
            lines.add(Notes.label("silent").and(Tone.WARN, n.silence()));
        }
        if (n.warning() != null) {
            lines.add(Notes.label("warning").and(Tone.WARN, n.warning()));
        }
        if (n.problem() != null) {
            lines.add(Notes.label("problem").and(Tone.BAD, n.problem().line()));
        }
        lines.add(Notes.fact("logs", "ringmaster node logs " + n.node()));
        return lines.stream()
                .flatMap(l -> Notes.wrapped(l.plain(), width, 10, l).stream())
                .toList();
    }

    private static String data(NodeState n) {
        String load = n.loadBytes() == null ? "-" : Amounts.bytes(n.loadBytes());
        String owns = n.ownership() == null ? "-" : Amounts.percent(n.ownership());
        String hints = n.pendingHintsBytes() == null ? "-" : Amounts.bytes(n.pendingHintsBytes());
        return "load " + load + ", owns " + owns + " of the ring, hints for others " + hints;
    }
}
