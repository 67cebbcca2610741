package io.ringmaster.simulator.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The events of a run in order: the last lines, and a digest of all lines. */
public final class Trace {
    private static final int KEPT_LINES = 600;

    private final VirtualClock clock;
    private final Consumer<String> verbose;
    private final Deque<String> lines = new ArrayDeque<>();
    private long digest = 17;

    /** @param verbose receives each line when it is added */
    public Trace(VirtualClock clock, Consumer<String> verbose) {
        this.clock = clock;
        this.verbose = verbose;
    }

    public void add(String who, String what) {
        String line = String.format(Locale.ROOT, "%9.3f  %-8s %s", clock.nowMillis() / 1000.0, who, what);
        digest = digest * 1_000_003 + line.hashCode();
        lines.addLast(line);
        if (lines.size() > KEPT_LINES) {
            lines.removeFirst();
        }
        verbose.accept(line);
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Equal for equal traces. */
    public long digest() {
        return digest;
    }
}
