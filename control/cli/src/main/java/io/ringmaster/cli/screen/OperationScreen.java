package io.ringmaster.cli.screen;

import io.ringmaster.wire.api.OperationAnswer;
import io.ringmaster.wire.api.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Screens of requested operations. */
public final class OperationScreen {
    private OperationScreen() {}

    /** The plans before they start. */
    public static List<Line> draft(OperationAnswer draft, Instant now, int width) {
        List<Line> lines = new ArrayList<>(SpecScreen.plans(draft.plans(), width));
        lines.addAll(Footers.unanswered(draft.unanswered(), now, width));
        return lines;
    }

    /** Requests of a cluster, newest first, with their state in each datacenter. */
    public static List<Line> states(List<OperationState> states, Instant now, int width) {
        if (states.isEmpty()) {
            return List.of(Line.of("no requests"));
        }
        TextTable table = new TextTable()
                .column("REQUEST")
                .column("OPERATION")
                .text("BY")
                .column("IN")
                .column("STATE")
                .number("SINCE")
                .text("NOW")
                .text("WHY");
        for (int i = states.size() - 1; i >= 0; i--) {
            OperationState state = states.get(i);
            state.parts()
                    .forEach(p -> table.row(
                            state.request().id(),
                            state.request().operation(),
                            state.request().who(),
                            p.datacenter(),
                            p.part() == null
                                    ? "unknown there"
                                    : p.part()
                                            .state()
                                            .name()
                                            .toLowerCase(Locale.ROOT)
                                            .replace('_', ' '),
                            p.part() == null
                                    ? ""
                                    : Formats.elapsed(Duration.between(p.part().since(), now)),
                            (p.silence() == null ? "" : "silent: " + p.silence() + "; ")
                                    + (p.part() == null ? "" : p.part().reason()),
                            state.request().why()));
        }
        return table.lines(width);
    }
}
