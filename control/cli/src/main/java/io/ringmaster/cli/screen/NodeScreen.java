package io.ringmaster.cli.screen;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.api.NodeVolume;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Screens of nodes: the list, and the details of one. */
public final class NodeScreen {
    private NodeScreen() {}

    public static List<Line> list(List<NodeState> nodes, Instant now, int width) {
        TextTable table = new TextTable()
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
                    Footers.orDash(n.rack()),
                    Footers.orDash(n.machine()),
                    Footers.orDash(n.cqlEndpoint()),
                    StatusStyle.of(n.mode()),
                    n.since() == null ? "-" : Formats.elapsed(Duration.between(n.since(), now)),
                    n.silence() == null ? n.activity() : n.silence());
        }
        return table.isEmpty() ? List.of(Line.of("no nodes")) : table.lines(width);
    }

    public static List<Line> show(NodeState n, Instant now, int width) {
        List<Line> lines = new ArrayList<>();
        lines.add(Line.of(Style.BOLD, n.node().value())
                .and("  ")
                .and(StatusStyle.of(n.mode()))
                .and(n.since() == null ? "" : "  for " + Formats.elapsed(Duration.between(n.since(), now))));
        lines.add(Footers.fact("activity", n.activity()));
        lines.add(
                Footers.fact("place", "rack " + Footers.orDash(n.rack()) + ", machine " + Footers.orDash(n.machine())));
        lines.add(Footers.fact("CQL", Footers.orDash(n.cqlEndpoint())));
        lines.add(
                Footers.fact("storage", Footers.orDash(n.storageEndpoint()) + (n.seed() ? ", designated a seed" : "")));
        lines.add(Footers.fact("host id", Footers.orDash(n.hostId())));
        lines.add(Footers.fact(
                "spec",
                "wanted " + Footers.orDash(n.specVersion()) + ", running " + Footers.orDash(n.appliedSpecVersion())));
        if (!n.setLive().isEmpty()) {
            lines.add(Footers.fact(
                    "set live",
                    n.setLive().entrySet().stream()
                            .map(e -> e.getKey() + " " + e.getValue())
                            .collect(Collectors.joining(", "))));
        }
        lines.add(Footers.fact("release", Footers.orDash(n.releaseVersion())));
        lines.add(Footers.fact("schema", Footers.orDash(n.schemaVersion())));
        lines.add(Footers.fact("data", data(n)));
        if (n.volume() != null) {
            lines.add(Footers.fact("volume", volume(n.volume())));
        }
        lines.add(Footers.fact("start", n.stagesMs().isEmpty() ? "-" : PlanScreen.stages(n) + "  (seconds)"));
        lines.add(Footers.fact("exits", Footers.orDash(n.exits())));
        if (n.silence() != null) {
            lines.add(Footers.label("silent").and(Style.WARN, n.silence()));
        }
        if (n.warning() != null) {
            lines.add(Footers.label("warning").and(Style.WARN, n.warning()));
        }
        if (n.problem() != null) {
            lines.add(Footers.label("problem").and(Style.BAD, Invocation.line(n.problem())));
        }
        lines.add(Footers.fact("logs", PROGRAM + " node logs " + n.node()));
        return lines.stream()
                .flatMap(l -> Footers.wrapped(l.plain(), width, 10, l).stream())
                .toList();
    }

    private static String volume(NodeVolume volume) {
        return Formats.bytes(volume.usedBytes()) + " of " + Formats.bytes(volume.diskBytes()) + ", "
                + Formats.bytes(volume.snapshotBytes()) + " of it only in snapshots; file system "
                + Formats.bytes(volume.usableBytes()) + " of " + Formats.bytes(volume.totalBytes()) + " free";
    }

    private static String data(NodeState n) {
        String load = n.loadBytes() == null ? "-" : Formats.bytes(n.loadBytes());
        String owns = n.effectiveOwnership().isEmpty()
                ? "-"
                : n.effectiveOwnership().entrySet().stream()
                        .map(e -> Formats.percent(e.getValue()) + " of " + e.getKey())
                        .collect(Collectors.joining(", "));
        String hints = n.pendingHintsBytes() == null ? "-" : Formats.bytes(n.pendingHintsBytes());
        return "load " + load + ", owns " + owns + ", hints for others " + hints;
    }
}
