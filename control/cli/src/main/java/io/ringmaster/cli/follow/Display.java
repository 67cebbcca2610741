package io.ringmaster.cli.follow;

import io.ringmaster.cli.screen.PlanLog;
import io.ringmaster.cli.screen.PlanScreen;
import io.ringmaster.cli.screen.PlanView;
import io.ringmaster.cli.terminal.Console;
import io.ringmaster.cli.terminal.LiveArea;
import org.jspecify.annotations.Nullable;

/** Shows the progress of a plan: redrawn in place on a terminal, otherwise one line for each change. */
public final class Display implements AutoCloseable {
    private final Console console;
    private final @Nullable LiveArea area;
    private @Nullable PlanView last;

    public Display(Console console) {
        this.console = console;
        this.area = console.abilities().interactive() ? console.liveArea() : null;
    }

    public void show(PlanView view) {
        if (area != null) {
            area.show(PlanScreen.show(view, console.width() - 1));
        } else {
            console.print(PlanLog.changes(last, view));
        }
        last = view;
    }

    @Override
    public void close() {
        if (area != null) {
            area.close();
        }
    }
}
