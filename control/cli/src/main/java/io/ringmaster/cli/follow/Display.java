package io.ringmaster.cli.follow;

import io.ringmaster.cli.screen.PlanLog;
import io.ringmaster.cli.screen.PlanScreen;
import io.ringmaster.cli.screen.PlanView;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.cli.terminal.LiveArea;
import org.jspecify.annotations.Nullable;

/** Shows a plan as it goes: redrawn in place on a terminal, else a line for each change. */
public final class Display implements AutoCloseable {
    private final Console console;
    private final @Nullable LiveArea area;
    private @Nullable PlanView last;

    public Display(Console console) {
        this.console = console;
        this.area = console.abilities().interactive() ? console.liveArea() : null;
    }

    public void show(PlanView picture) {
        if (area != null) {
            area.show(PlanScreen.show(picture, console.width() - 1));
        } else {
            console.print(PlanLog.changes(last, picture));
        }
        last = picture;
    }

    @Override
    public void close() {
        if (area != null) {
            area.close();
        }
    }
}
