package io.ringmaster.cli.screen;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.LocationInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Screens of backups and of the locations where they are kept. */
public final class BackupScreen {
    private BackupScreen() {}

    private record Row(String location, BackupInfo backup) {}

    /** @param backups by location */
    public static List<Line> list(Map<String, List<BackupInfo>> backups, Instant now, int width) {
        List<Row> rows = backups.entrySet().stream()
                .flatMap(e -> e.getValue().stream().map(b -> new Row(e.getKey(), b)))
                .sorted(Comparator.comparing((Row r) -> r.backup.cluster())
                        .thenComparing(r -> r.backup.id(), Comparator.reverseOrder()))
                .toList();
        if (rows.isEmpty()) {
            return List.of(Line.of("no backups"));
        }
        TextTable table = new TextTable()
                .column("CLUSTER")
                .column("BACKUP")
                .column("LOCATION")
                .column("TAKEN")
                .number("NODES")
                .number("SIZE")
                .number("NEW");
        rows.forEach(r -> add(table, r));
        List<Line> lines = new ArrayList<>(table.lines(width));
        rows.stream()
                .filter(r -> r.backup.problem() != null)
                .map(r -> Line.of(Style.BAD, r.backup.id() + " in " + r.location + ": " + r.backup.problem()))
                .forEach(lines::add);
        rows.stream()
                .filter(r -> r.backup.isOfFuture(now))
                .map(r -> Line.of(
                        Style.BAD,
                        r.backup.id() + " in " + r.location
                                + " is of the future: a clock was wrong when it was requested"))
                .forEach(lines::add);
        return lines;
    }

    /** Of a damaged backup the names are known. */
    private static void add(TextTable table, Row row) {
        BackupInfo backup = row.backup;
        boolean sound = backup.problem() == null;
        table.row(
                backup.cluster(),
                backup.id(),
                row.location,
                sound ? backup.to().truncatedTo(ChronoUnit.SECONDS) : Line.of(Style.BAD, "damaged"),
                sound ? backup.nodes() : "-",
                sound ? Formats.bytes(backup.bytes()) : "-",
                sound ? Formats.bytes(backup.newBytes()) : "-");
    }

    public static List<Line> show(String location, BackupInfo.Details details, int width) {
        BackupInfo backup = details.backup();
        List<Line> lines = new ArrayList<>();
        lines.add(Line.of(Style.BOLD, backup.id())
                .and("  " + backup.cluster() + " in " + location + ", "
                        + Formats.count(backup.nodes(), "node") + ", " + Formats.bytes(backup.bytes()) + ", "
                        + Formats.bytes(backup.newBytes()) + " of it new")
                .cut(width));
        lines.add(Line.of("taken " + backup.from() + ", all nodes within "
                        + Formats.elapsed(Duration.between(backup.from(), backup.to())))
                .cut(width));
        TextTable table = new TextTable()
                .column("NODE")
                .column("RACK")
                .number("SIZE")
                .number("FILES")
                .number("NEW");
        details.nodes()
                .forEach(n -> table.row(
                        n.node(), n.rack(), Formats.bytes(n.bytes()), n.files(), Formats.bytes(n.newBytes())));
        lines.addAll(table.lines(width));
        return lines;
    }

    public static List<Line> locations(LocationInfo.Directory known, int width) {
        if (known.items().isEmpty()) {
            return List.of(
                    Line.of("no locations in " + known.directory()),
                    Line.of("  try: " + PROGRAM + " backup location add nas --url file:///mnt/backups"));
        }
        TextTable table = new TextTable().column("LOCATION").text("URL").text("ENDPOINT");
        known.items()
                .forEach(l -> table.row(
                        l.name(),
                        l.problem() == null ? Footers.orDash(l.url()) : Line.of(Style.BAD, l.problem()),
                        Footers.orDash(l.endpoint())));
        return table.lines(width);
    }

    /** {@code 412 MiB of 1.2 GiB: sends}. The reason of a step changes only by 10 %, because plans are stored. */
    static String progress(TaskStatus transfer) {
        String amount = transfer.unit().equals("bytes") && transfer.total() > 0
                ? Formats.bytes(transfer.done()) + " of " + Formats.bytes(transfer.total()) + ": "
                : "";
        return amount + transfer.message();
    }
}
