package io.ringmaster.cli.screen;

import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.request.Claim;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.ClusterSummary;
import io.ringmaster.wire.api.Finding;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.api.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Clusters: the list, and the one screen about one of them. */
public final class ClusterScreen {
    private ClusterScreen() {}

    public static List<Line> list(FleetList<ClusterSummary> clusters, Instant now, int width) {
        Table table = new Table()
                .text("CLUSTER")
                .column("STATE")
                .number("NODES")
                .text("DATACENTERS")
                .column("CASSANDRA")
                .number("SPEC")
                .text("PLANS AT WORK");
        for (ClusterSummary c : clusters.items()) {
            table.row(
                    Line.of(Tone.BOLD, c.cluster().value()),
                    Moods.of(c.condition()),
                    c.normal() + " of " + c.nodes(),
                    joined(c.datacenters()),
                    c.cassandraVersion(),
                    c.specVersion(),
                    c.plans().isEmpty() ? "-" : joined(c.plans()));
        }
        List<Line> lines = new ArrayList<>(
                table.isEmpty()
                        ? List.of(
                                Line.of("no clusters yet"),
                                Notes.hint("ringmaster cluster apply -f examples/rides.yaml"))
                        : table.lines(width));
        lines.addAll(Notes.unanswered(clusters.unanswered(), now, width));
        return lines;
    }

    public static List<Line> status(ClusterStatus s, int width) {
        List<Line> lines = new ArrayList<>();
        lines.add(headline(s));
        lines.addAll(facts(s, width));
        for (ClusterStatus.Part part : s.datacenters()) {
            lines.add(Line.EMPTY);
            lines.add(partHeadline(part, s.at()));
            lines.addAll(nodes(part, s, width - 2).stream().map(Notes::indented).toList());
        }
        lines.add(Line.EMPTY);
        for (Plan plan : s.plans()) {
            lines.add(planLine(plan, s.at()).cut(width));
        }
        lines.addAll(turns(s, width));
        lines.addAll(findings(s, width));
        return lines;
    }

    private static Line headline(ClusterStatus s) {
        return Line.of(Tone.BOLD, s.cluster().value())
                .and("  ")
                .and(Moods.of(s.condition()))
                .and("  " + s.normal() + " of " + Amounts.count(s.nodes(), "node") + " NORMAL, Cassandra "
                        + s.cassandraVersion() + ", spec version " + s.specVersion());
    }

    private static List<Line> facts(ClusterStatus s, int width) {
        List<Line> lines = new ArrayList<>();
        lines.add(schema(s.schemaVersions()).cut(width));
        if (!s.contactPoints().isEmpty()) {
            lines.add(Notes.fact("CQL", String.join(", ", s.contactPoints())).cut(width));
        }
        return lines;
    }

    private static Line schema(Map<String, List<String>> versions) {
        if (versions.isEmpty()) {
            return Notes.fact("schema", "no node has told its version yet");
        }
        if (versions.size() == 1) {
            return Notes.fact(
                    "schema",
                    "all agree on " + shortened(versions.keySet().iterator().next()));
        }
        String holders = versions.entrySet().stream()
                .map(e -> shortened(e.getKey()) + " on " + String.join(", ", e.getValue()))
                .collect(Collectors.joining("; "));
        return Notes.label("schema").and(Tone.WARN, versions.size() + " versions: " + holders);
    }

    private static Line partHeadline(ClusterStatus.Part part, Instant now) {
        long normal = part.nodes().stream()
                .filter(n -> n.mode() == OperatingMode.NORMAL)
                .count();
        Line line = Line.of(Tone.BOLD, part.datacenter().value())
                .and("  " + normal + " of " + Amounts.count(part.nodesWanted(), "node") + " NORMAL");
        if (part.silence() == null) {
            return line;
        }
        String heard = part.lastHeard() == null
                ? "never heard"
                : "last heard " + Amounts.elapsed(Duration.between(part.lastHeard(), now)) + " ago";
        return line.and(Tone.WARN, "  does not answer (" + part.silence() + "), " + heard);
    }

    private static List<Line> nodes(ClusterStatus.Part part, ClusterStatus s, int width) {
        Table table = new Table()
                .column("NODE")
                .column("RACK")
                .text("MACHINE")
                .text("CQL")
                .column("STATE")
                .column("FOR")
                .number("LOAD")
                .number("OWNS")
                .column("SEES")
                .column("SPEC")
                .text("NOTES");
        for (NodeState n : part.nodes()) {
            table.row(
                    n.node().shortName(),
                    Notes.orDash(n.rack()),
                    Notes.orDash(n.machine()),
                    Notes.orDash(n.cqlEndpoint()),
                    Moods.of(n.mode()),
                    n.since() == null ? "-" : Amounts.elapsed(Duration.between(n.since(), s.at())),
                    n.loadBytes() == null ? "-" : Amounts.bytes(n.loadBytes()),
                    n.ownership() == null ? "-" : Amounts.percent(n.ownership()),
                    n.seesNormal() == null ? "-" : n.seesNormal() + "/" + s.nodes(),
                    specVersions(n),
                    remark(n, s.cassandraVersion()));
        }
        return table.isEmpty() ? List.of(Line.of("no node is decided yet")) : table.lines(width);
    }

    private static Line specVersions(NodeState n) {
        if (n.specVersion() == null || n.appliedSpecVersion() == null) {
            return Line.of("-");
        }
        return n.specVersion().equals(n.appliedSpecVersion())
                ? Line.of(String.valueOf(n.specVersion()))
                : Line.of(Tone.WARN, n.appliedSpecVersion() + ">" + n.specVersion());
    }

    private static Line remark(NodeState n, String wantedVersion) {
        if (n.problem() != null) {
            return Line.of(Tone.BAD, n.problem().line());
        }
        if (n.silence() != null) {
            return Line.of(Tone.WARN, n.silence());
        }
        List<String> words = new ArrayList<>();
        if (n.seed()) {
            words.add("seed");
        }
        if (n.releaseVersion() != null && !n.releaseVersion().equals(wantedVersion)) {
            words.add("runs " + n.releaseVersion());
        }
        if (n.pendingHintsBytes() != null && n.pendingHintsBytes() > 0) {
            words.add("hints " + Amounts.bytes(n.pendingHintsBytes()));
        }
        if (n.exits() != null && n.exits() > 0) {
            words.add("died " + Amounts.count(n.exits(), "time"));
        }
        if (n.mode() != OperatingMode.NORMAL && !n.activity().isEmpty()) {
            words.add(n.activity());
        }
        return Line.of(String.join(", ", words));
    }

    private static Line planLine(Plan plan, Instant now) {
        Instant end = plan.endedAt() == null ? now : plan.endedAt();
        Line line = Notes.label("plan")
                .and(plan.id() + "  " + plan.operation() + "  ")
                .and(Moods.of(plan.status()))
                .and("  " + Amounts.elapsed(Duration.between(plan.createdAt(), end)));
        return plan.problem() == null
                ? line
                : line.and("  ").and(Tone.BAD, plan.problem().line());
    }

    /** Nobody waits and nothing was asked for: then the plans say it all. */
    private static List<Line> turns(ClusterStatus s, int width) {
        if (s.turns().stream().allMatch(t -> t.holds() && t.request() == null)) {
            return List.of();
        }
        List<Line> lines = new ArrayList<>();
        for (Turn t : s.turns()) {
            String who = t.operation() + (t.request() == null ? "" : " " + t.request()) + " (asked by " + t.who()
                    + ") in " + t.datacenter();
            String time = Amounts.elapsed(Duration.between(t.since(), s.at()));
            String text = t.holds()
                    ? who + " holds " + held(t.claim()) + " for " + time + ": " + t.reason()
                    : who + " has waited " + time + ": " + t.reason();
            Line line = Notes.label("turn").and(t.holds() ? Tone.BOLD : Tone.PLAIN, text);
            lines.addAll(Notes.wrapped(line.plain(), width, 10, line));
        }
        return lines;
    }

    private static String held(Claim claim) {
        return switch (claim) {
            case MEND, RING -> "the ring";
            case REPAIR -> "the turn of repairs";
            case NODES -> "its nodes";
        };
    }

    private static List<Line> findings(ClusterStatus s, int width) {
        if (s.findings().isEmpty()) {
            return List.of(Notes.label("wrong").and(Tone.GOOD, "nothing"));
        }
        List<Line> lines = new ArrayList<>();
        for (Finding f : s.findings()) {
            String since = f.since() == null ? "" : ", for " + Amounts.elapsed(Duration.between(f.since(), s.at()));
            Line line = Notes.label("wrong")
                    .and(Moods.of(f.severity()))
                    .and("  " + f.subject() + ": " + f.message() + since);
            lines.addAll(Notes.wrapped(line.plain(), width, 10, line));
            if (f.nextStep() != null) {
                lines.addAll(Notes.wrapped("          try: " + f.nextStep(), width, 15, null));
            }
        }
        return lines;
    }

    private static String shortened(String uuid) {
        return uuid.length() > 8 ? uuid.substring(0, 8) : uuid;
    }

    private static String joined(List<?> values) {
        return values.stream().map(Object::toString).collect(Collectors.joining(", "));
    }
}
