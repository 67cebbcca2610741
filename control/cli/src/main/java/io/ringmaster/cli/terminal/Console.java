package io.ringmaster.cli.terminal;

import io.ringmaster.cli.screen.Line;
import java.io.PrintStream;
import java.util.List;

/** Prints screens: with colours to a terminal that supports them, otherwise as plain lines. */
public final class Console {
    private final PrintStream out;
    private final PrintStream err;
    private final Abilities abilities;

    public Console(PrintStream out, PrintStream err, Abilities abilities) {
        this.out = out;
        this.err = err;
        this.abilities = abilities;
    }

    public Abilities abilities() {
        return abilities;
    }

    public int width() {
        return abilities.width();
    }

    public void print(Line line) {
        out.println(text(line));
    }

    public void print(List<Line> lines) {
        lines.forEach(this::print);
    }

    public void print(String text) {
        out.println(text);
    }

    /** Prints without a line break, so that the user answers on the same line. */
    public void ask(String question) {
        out.print(question);
        out.flush();
    }

    /** Prints to standard error, so that scripts read only answers. */
    public void note(Line line) {
        err.println(text(line));
    }

    /** An area at the end of the output that is redrawn in place. Only for terminals that can move the cursor. */
    public LiveArea liveArea() {
        return new LiveArea(out, abilities);
    }

    private String text(Line line) {
        return abilities.colour() ? line.coloured() : line.plain();
    }
}
