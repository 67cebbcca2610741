package io.ringmaster.cli.screen;

import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.MachineState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Screens of machines: total and free capacity, and the nodes on them. */
public final class MachineScreen {
    private MachineScreen() {}

    public static List<Line> list(FleetList<MachineState> machines, Instant now, int width) {
        TextTable table = new TextTable()
                .column("DC")
                .text("MACHINE")
                .column("RACK")
                .text("ADDRESS")
                .number("CPU FREE")
                .number("MEMORY FREE")
                .number("DISK FREE")
                .text("RUNS");
        machines.items().stream()
                .sorted(Comparator.comparing((MachineState m) -> m.datacenter())
                        .thenComparing(m -> m.machine().name()))
                .forEach(m -> row(table, m));
        List<Line> lines = new ArrayList<>(table.isEmpty() ? List.of(Line.of("no machines")) : table.lines(width));
        List<Line> warnings = machines.items().stream()
                .flatMap(m -> m.allocations().stream())
                .flatMap(a ->
                        a.warning() == null ? java.util.stream.Stream.empty() : java.util.stream.Stream.of(a.warning()))
                .distinct()
                .flatMap(w -> Footers.wrapped("warning: " + w, width, 9, null).stream())
                .toList();
        lines.addAll(warnings);
        lines.addAll(Footers.unanswered(machines.unanswered(), now, width));
        return lines;
    }

    private static void row(TextTable table, MachineState state) {
        Machine m = state.machine();
        table.row(
                state.datacenter(),
                m.name(),
                m.rack(),
                Footers.orDash(m.address()),
                free(m, Formats.cores(state.freeCpuMillis()), Formats.cores(m.cpuMillis())),
                free(m, compact(state.freeMemoryBytes()), compact(m.memoryBytes())),
                free(m, compact(state.freeDiskBytes()), compact(m.diskBytes())),
                runs(state));
    }

    private static String free(Machine machine, String free, String all) {
        return machine.offered() ? free + " of " + all : "-";
    }

    private static Line runs(MachineState state) {
        Line line = condition(state.machine());
        for (AllocationState a : state.allocations()) {
            line = line.width() == 0 ? line : line.and(", ");
            line = line.and(a.allocation().node().cluster() + " "
                    + a.allocation().node().shortName());
            if (a.status() != AllocationState.Status.RUNNING) {
                line = line.and(" ").and(StatusStyle.of(a.status()));
            }
        }
        return line;
    }

    private static Line condition(Machine machine) {
        if (!machine.reachable()) {
            return Line.of(Style.BAD, machine.offered() ? "unreachable" : "lost");
        }
        return machine.cordoned() ? Line.of(Style.WARN, "cordoned") : Line.EMPTY;
    }

    private static String compact(long bytes) {
        return Formats.bytes(bytes).replace("iB", "").replace(" ", "");
    }
}
