package io.ringmaster.playground.doctor;

import io.ringmaster.cli.screen.Footers;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.Style;
import java.util.ArrayList;
import java.util.List;

/** Screen of check results: a line for each check, with advice below a failed check. */
public final class DoctorScreen {
    private static final int INDENT = 20;

    private DoctorScreen() {}

    public static List<Line> results(List<Result> results, int width) {
        List<Line> lines = new ArrayList<>();
        for (Result r : results) {
            Line line = Line.of("  ").and(status(r.status()).padded(4)).and("  " + r.what());
            Line whole = line.padded(INDENT).and(r.found());
            lines.addAll(Footers.wrapped(whole.plain(), width, INDENT, whole));
            if (r.advice() != null) {
                lines.addAll(Footers.wrapped(" ".repeat(INDENT) + "-> " + r.advice(), width, INDENT + 3, null));
            }
        }
        return lines;
    }

    private static Line status(Result.Status status) {
        return switch (status) {
            case OK -> Line.of(Style.GOOD, "ok");
            case WARN -> Line.of(Style.WARN, "warn");
            case FAIL -> Line.of(Style.BAD, "fail");
        };
    }
}
