package io.ringmaster.cli.screen;

import io.ringmaster.wire.api.Unanswered;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lines that several screens share. */
public final class Footers {
    private static final int LABEL_WIDTH = 10;

    private Footers() {}

    /** The label at the left edge. */
    public static Line label(String label) {
        return Line.of(Style.DIM, label).padded(LABEL_WIDTH);
    }

    public static Line fact(String label, String value) {
        return label(label).and(value);
    }

    /** The next command to try. */
    public static Line hint(String command) {
        return Line.of(Style.DIM, "  try: ").and(command);
    }

    public static Line indented(Line line) {
        return Line.of("  ").and(line);
    }

    /** Datacenters that did not answer, so that a partial list is not taken for the whole. */
    public static List<Line> unanswered(List<Unanswered> silent, Instant now, int width) {
        List<Line> lines = new ArrayList<>();
        for (Unanswered u : silent) {
            String report = u.lastHeard() == null
                    ? "never reported"
                    : "last report " + Formats.elapsed(Duration.between(u.lastHeard(), now)) + " ago";
            lines.addAll(wrapped(
                    "datacenter " + u.datacenter() + " did not answer (" + u.reason() + "; " + report
                            + "): its part is missing or old",
                    width,
                    2,
                    null));
        }
        return lines;
    }

    /**
     * Breaks a text at spaces and indents the lines after the first.
     *
     * @param whole the same text with styles, used when it fits into one line
     */
    public static List<Line> wrapped(String text, int width, int indent, @Nullable Line whole) {
        if (text.length() <= width) {
            return List.of(whole == null ? Line.of(text) : whole);
        }
        List<Line> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > width) {
            int space = rest.lastIndexOf(' ', width);
            int at = space > indent ? space : width;
            lines.add(Line.of(rest.substring(0, at)));
            rest = " ".repeat(indent) + rest.substring(at).stripLeading();
        }
        lines.add(Line.of(rest));
        return lines;
    }

    static String orDash(@Nullable Object value) {
        return value == null ? "-" : value.toString();
    }
}
