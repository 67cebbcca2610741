package io.ringmaster.cli.terminal;

import io.ringmaster.cli.screen.Line;
import java.io.PrintStream;
import java.util.List;

/**
 * The last lines of the terminal, redrawn in place. Lines are cut to the width, because a wrapped line would break the
 * count. JLine's {@code Display} needs an opened JLine terminal, which these few escape sequences do without.
 */
public final class LiveArea implements AutoCloseable {
    private static final String ESC = "\u001b[";

    private final PrintStream out;
    private final Abilities abilities;
    private int drawn;

    LiveArea(PrintStream out, Abilities abilities) {
        this.out = out;
        this.abilities = abilities;
        out.print(ESC + "?25l");
    }

    public void show(List<Line> lines) {
        StringBuilder frame = new StringBuilder();
        if (drawn > 0) {
            frame.append(ESC).append(drawn).append('A');
        }
        for (Line line : lines) {
            Line fitted = line.cut(abilities.width() - 1);
            frame.append('\r').append(ESC).append('K');
            frame.append(abilities.colour() ? fitted.coloured() : fitted.plain())
                    .append('\n');
        }
        frame.append(ESC).append('J');
        out.print(frame);
        out.flush();
        drawn = lines.size();
    }

    /** Keeps the last frame and shows the cursor again. */
    @Override
    public void close() {
        out.print(ESC + "?25h");
        out.flush();
    }
}
