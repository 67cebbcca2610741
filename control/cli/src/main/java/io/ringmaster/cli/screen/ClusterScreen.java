package io.ringmaster.cli.screen;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.request.Clocks;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.wire.api.BackupState;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.ClusterSummary;
import io.ringmaster.wire.api.Finding;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.LockState;
import io.ringmaster.wire.api.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Screens of clusters: the list, and the status of one. */
public final class ClusterScreen {
    private ClusterScreen() {}

    public static List<Line> list(FleetList<ClusterSummary> clusters, Instant now, int width) {
        TextTable table = new TextTable()
                .text("CLUSTER")
                .column("STATE")
                .number("NODES")
                .text("DATACENTERS")
                .column("CASSANDRA")
                .number("SPEC")
                .text("RUNNING PLANS");
        for (ClusterSummary c : clusters.items()) {
            table.row(
                    Line.of(Style.BOLD, c.cluster().value()),
                    StatusStyle.of(c.condition()),
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
                                Footers.hint(PROGRAM + " cluster apply -f examples/rides.yaml"))
                        : table.lines(width));
        lines.addAll(Footers.unanswered(clusters.unanswered(), now, width));
        return lines;
    }

    public static List<Line> status(ClusterStatus s, int width) {
        List<Line> lines = new ArrayList<>();
        lines.add(headline(s));
        lines.addAll(facts(s, width));
        for (ClusterStatus.Part part : s.datacenters()) {
            lines.add(Line.EMPTY);
            lines.add(partHeadline(part, s.at()));
            lines.addAll(
                    nodes(part, s, width - 2).stream().map(Footers::indented).toList());
        }
        lines.add(Line.EMPTY);
        for (Plan plan : s.plans()) {
            lines.add(planLine(plan, s.at()).cut(width));
        }
        lines.addAll(locks(s, width));
        lines.addAll(findings(s, width));
        return lines;
    }

    private static Line headline(ClusterStatus s) {
        return Line.of(Style.BOLD, s.cluster().value())
                .and("  ")
                .and(StatusStyle.of(s.condition()))
                .and("  " + s.normal() + " of " + Formats.count(s.nodes(), "node") + " NORMAL, Cassandra "
                        + s.cassandraVersion() + ", spec version " + s.specVersion());
    }

    private static List<Line> facts(ClusterStatus s, int width) {
        List<Line> lines = new ArrayList<>();
        lines.add(schema(s.schemaVersions()).cut(width));
        if (!s.contactPoints().isEmpty()) {
            lines.add(Footers.fact("CQL", String.join(", ", s.contactPoints())).cut(width));
        }
        if (s.backup() != null) {
            lines.add(Footers.fact("backup", backup(s.backup(), s.at())).cut(width));
        }
        return lines;
    }

    private static String age(Instant at, Instant now) {
        return Clocks.isOfFuture(at, now) ? "of the future" : Formats.elapsed(Duration.between(at, now)) + " old";
    }

    private static String backup(BackupState backup, Instant now) {
        List<String> words = new ArrayList<>();
        if (backup.last() != null) {
            words.add(backup.last().id() + " at " + backup.last().location() + ", "
                    + age(backup.last().at(), now));
        }
        BackupState.Schedule schedule = backup.schedule();
        if (schedule != null) {
            words.add((backup.last() == null ? "none yet; to " + schedule.to() + " every " : "every ")
                    + schedule.every() + ", " + next(schedule, now));
        }
        return String.join("; ", words);
    }

    private static String next(BackupState.Schedule schedule, Instant now) {
        Instant due = schedule.due();
        if (due == null) {
            return "the next one waits: " + schedule.why();
        }
        return due.isAfter(now)
                ? "the next one in " + Formats.elapsed(Duration.between(now, due))
                : "the next one is due now";
    }

    private static Line schema(Map<String, List<String>> versions) {
        if (versions.isEmpty()) {
            return Footers.fact("schema", "no node has reported its version yet");
        }
        if (versions.size() == 1) {
            return Footers.fact(
                    "schema",
                    "all agree on " + shortened(versions.keySet().iterator().next()));
        }
        String holders = versions.entrySet().stream()
                .map(e -> shortened(e.getKey()) + " on " + String.join(", ", e.getValue()))
                .collect(Collectors.joining("; "));
        return Footers.label("schema").and(Style.WARN, versions.size() + " versions: " + holders);
    }

    private static Line partHeadline(ClusterStatus.Part part, Instant now) {
        long normal = part.nodes().stream()
                .filter(n -> n.mode() == OperatingMode.NORMAL)
                .count();
        Line line = Line.of(Style.BOLD, part.datacenter().value())
                .and(
                        part.leaves()
                                ? "  leaves the cluster, "
                                        + Formats.count(part.nodes().size(), "node") + " to go"
                                : "  " + normal + " of " + Formats.count(part.nodesWanted(), "node") + " NORMAL");
        if (part.silence() == null) {
            return line;
        }
        String report = part.lastHeard() == null
                ? "never reported"
                : "last report " + Formats.elapsed(Duration.between(part.lastHeard(), now)) + " ago";
        return line.and(Style.WARN, "  does not answer (" + part.silence() + "), " + report);
    }

    private static List<Line> nodes(ClusterStatus.Part part, ClusterStatus s, int width) {
        TextTable table = new TextTable()
                .column("NODE")
                .column("RACK")
                .text("MACHINE")
                .text("CQL")
                .column("STATE")
                .column("FOR")
                .number("LOAD")
                .number(OwnsColumn.title(part.nodes()))
                .column("SEES")
                .column("SPEC")
                .text("NOTES");
        for (NodeState n : part.nodes()) {
            table.row(
                    n.node().shortName(),
                    Footers.orDash(n.rack()),
                    Footers.orDash(n.machine()),
                    Footers.orDash(n.cqlEndpoint()),
                    StatusStyle.of(n.mode()),
                    n.since() == null ? "-" : Formats.elapsed(Duration.between(n.since(), s.at())),
                    n.loadBytes() == null ? "-" : Formats.bytes(n.loadBytes()),
                    OwnsColumn.cell(n),
                    n.seesNormal() == null ? "-" : n.seesNormal() + "/" + s.nodes(),
                    specVersions(n),
                    notes(n, s.cassandraVersion()));
        }
        return table.isEmpty() ? List.of(Line.of("no node is planned yet")) : table.lines(width);
    }

    private static Line specVersions(NodeState n) {
        if (n.specVersion() == null || n.appliedSpecVersion() == null) {
            return Line.of("-");
        }
        return n.specVersion().equals(n.appliedSpecVersion())
                ? Line.of(String.valueOf(n.specVersion()))
                : Line.of(Style.WARN, n.appliedSpecVersion() + ">" + n.specVersion());
    }

    private static Line notes(NodeState n, String wantedVersion) {
        if (n.problem() != null) {
            return Line.of(Style.BAD, Invocation.line(n.problem()));
        }
        if (n.silence() != null) {
            return Line.of(Style.WARN, n.silence());
        }
        List<String> words = new ArrayList<>();
        if (n.seed()) {
            words.add("seed");
        }
        if (n.releaseVersion() != null && !n.releaseVersion().equals(wantedVersion)) {
            words.add("runs " + n.releaseVersion());
        }
        if (n.pendingHintsBytes() != null && n.pendingHintsBytes() > 0) {
            words.add("hints " + Formats.bytes(n.pendingHintsBytes()));
        }
        if (n.exits() != null && n.exits() > 0) {
            words.add("died " + Formats.count(n.exits(), "time"));
        }
        if (n.mode() != OperatingMode.NORMAL && !n.activity().isEmpty()) {
            words.add(n.activity());
        }
        return Line.of(String.join(", ", words));
    }

    private static Line planLine(Plan plan, Instant now) {
        Instant end = plan.endedAt() == null ? now : plan.endedAt();
        Line line = Footers.label("plan")
                .and(plan.id() + "  " + plan.operation() + "  ")
                .and(StatusStyle.of(plan.status()))
                .and("  " + Formats.elapsed(Duration.between(plan.createdAt(), end)));
        return plan.problem() == null ? line : line.and("  ").and(Style.BAD, Invocation.line(plan.problem()));
    }

    /** Empty when no request waits and no request holds a lock: the plans show the rest. */
    private static List<Line> locks(ClusterStatus s, int width) {
        if (s.locks().stream().allMatch(t -> t.holds() && t.request() == null)) {
            return List.of();
        }
        List<Line> lines = new ArrayList<>();
        for (LockState t : s.locks()) {
            String who = t.operation() + (t.request() == null ? "" : " " + t.request()) + " (asked by " + t.who()
                    + ") in " + t.datacenter();
            String time = Formats.elapsed(Duration.between(t.since(), s.at()));
            String text = t.holds()
                    ? who + " holds " + held(t.lockScope()) + " for " + time + ": " + t.reason()
                    : who + " has waited " + time + ": " + t.reason();
            Line line = Footers.label("lock").and(t.holds() ? Style.BOLD : Style.PLAIN, text);
            lines.addAll(Footers.wrapped(line.plain(), width, 10, line));
        }
        return lines;
    }

    private static String held(LockScope lockScope) {
        return switch (lockScope) {
            case MEND, RING -> "the lock on the ring";
            case REPAIR -> "the lock on repairs";
            case NODES -> "the lock on its nodes";
            case BACKUP -> "the lock on backups";
        };
    }

    private static List<Line> findings(ClusterStatus s, int width) {
        if (s.findings().isEmpty()) {
            return List.of(Footers.label("wrong").and(Style.GOOD, "nothing"));
        }
        List<Line> lines = new ArrayList<>();
        for (Finding f : s.findings()) {
            String since = f.since() == null ? "" : ", for " + Formats.elapsed(Duration.between(f.since(), s.at()));
            Line line = Footers.label("wrong")
                    .and(StatusStyle.of(f.severity()))
                    .and("  " + f.subject() + ": " + f.message() + since);
            lines.addAll(Footers.wrapped(line.plain(), width, 10, line));
            if (f.nextStep() != null) {
                lines.addAll(Footers.wrapped("          try: " + Invocation.wording(f.nextStep()), width, 15, null));
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
