package io.ringmaster.cli.screen;

import static io.ringmaster.cli.screen.Invocation.PROGRAM;

import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.VolumeState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Screens of volumes that no node uses. */
public final class VolumeScreen {
    private VolumeScreen() {}

    /** @param width of the terminal in columns */
    public static List<Line> list(FleetList<VolumeState> volumes, Instant now, int width) {
        TextTable table = new TextTable()
                .column("DC")
                .column("VOLUME")
                .text("CLUSTER")
                .text("NODE")
                .text("MACHINE")
                .number("DISK")
                .column("SINCE")
                .text("WHY");
        volumes.items().stream()
                .sorted(Comparator.comparing((VolumeState v) -> v.datacenter()).thenComparing(VolumeState::id))
                .forEach(v -> row(table, v));
        List<Line> lines = new ArrayList<>(table.isEmpty() ? List.of(Line.of("no kept volumes")) : table.lines(width));
        lines.addAll(Footers.unanswered(volumes.unanswered(), now, width));
        if (volumes.items().stream().anyMatch(v -> v.discardedAt() == null)) {
            lines.add(Line.of("next: " + PROGRAM + " volume discard DATACENTER/VOLUME destroys one"));
        }
        return lines;
    }

    private static void row(TextTable table, VolumeState v) {
        table.row(
                v.datacenter(),
                v.id(),
                v.cluster(),
                v.node() == null ? "-" : v.node().shortName(),
                machine(v),
                v.diskBytes() == null ? "-" : Formats.bytes(v.diskBytes()),
                v.since() == null ? "-" : v.since().truncatedTo(ChronoUnit.SECONDS),
                why(v));
    }

    private static Line machine(VolumeState v) {
        Line machine = Line.of(v.machine() == null ? "-" : v.machine().value());
        return v.reachable() ? machine : machine.and(" ").and(Line.of(Style.BAD, "away"));
    }

    private static Line why(VolumeState v) {
        String problem = v.problem() == null ? "" : "; " + v.problem();
        if (v.discardedAt() == null) {
            return Line.of(v.reason().because()).and(Line.of(Style.WARN, problem));
        }
        return Line.of(
                Style.WARN, (v.reachable() ? "is being destroyed" : "is destroyed when its machine is back") + problem);
    }

    /** What a user must know before the volume is destroyed. */
    public static List<Line> consequences(VolumeState v) {
        List<Line> lines = new ArrayList<>();
        lines.add(Line.of("volume " + v.id() + (v.machine() == null ? "" : " on " + v.machine()) + ", kept because "
                + v.reason().because() + ", is DESTROYED, permanently"));
        if (v.reason() == KeptVolume.Reason.DELETED || v.reason() == KeptVolume.Reason.UNKNOWN) {
            lines.add(Line.of(Style.WARN, "it may hold the last copy of rows of " + v.cluster()));
        }
        if (!v.reachable()) {
            lines.add(
                    Line.of("its machine is away: it is destroyed when the machine is back, if it is released there"));
        }
        return lines;
    }

    public static List<Line> dryRun(VolumeState v) {
        List<Line> lines = new ArrayList<>(consequences(v));
        lines.add(Line.of("dry run: nothing was changed"));
        return lines;
    }

    public static List<Line> discarded(VolumeState v) {
        return List.of(Line.of("the destruction of " + v.id() + " is ordered"
                + (v.reachable() ? "" : " and waits for its machine") + "; next: " + PROGRAM + " volume list"));
    }
}
