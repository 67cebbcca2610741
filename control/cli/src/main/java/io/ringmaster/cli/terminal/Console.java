package io.ringmaster.cli.terminal;

import io.ringmaster.cli.screen.Line;
import java.io.PrintStream;
import java.util.List;

/** Where screens go: a terminal with or without colour, or anything else, which gets plain lines. */
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

    /** Without the end of the line, so that the answer stands beside it. */
    public void ask(String question) {
        out.print(question);
        out.flush();
    }

    /** To standard error, so that it does not mix with what a script reads. */
    public void note(Line line) {
        err.println(text(line));
    }

    /** An area at the end of the output that can be drawn anew. Only for terminals that can move the cursor. */
    public LiveArea liveArea() {
        return new LiveArea(out, abilities);
    }

    private String text(Line line) {
        return abilities.colour() ? line.coloured() : line.plain();
    }
}
