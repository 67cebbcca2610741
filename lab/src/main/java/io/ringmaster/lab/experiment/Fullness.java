package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.machine.Idle;
import io.ringmaster.lab.page.Cells;
import java.io.IOException;

/**
 * Whether the processors had room while a fixed rate was offered. Nodes, generator and kernel share them: on a full
 * machine each would measure the others.
 */
final class Fullness {
    static final double ROOM_CORES = 0.25;

    private final Idle before;

    private Fullness(Idle before) {
        this.before = before;
    }

    static Fullness watch() throws IOException {
        return new Fullness(Idle.read());
    }

    /** Stores the idle cores since {@link #watch}, and says that the figures of this key are invalid without room. */
    void judge(String key, Figures figures) throws IOException {
        judge(idleCores(), key, figures);
    }

    /** Idle cores since {@link #watch}. */
    double idleCores() throws IOException {
        return Idle.read().coresSince(before);
    }

    /** The same with idle cores that were measured. */
    static void judge(double idle, String key, Figures figures) {
        figures.put(key + ".idle", idle, Unit.CORES);
        if (idle < ROOM_CORES) {
            figures.missing(key, "invalid: the machine was full (" + Cells.number(idle) + " cores idle)");
        }
    }
}
