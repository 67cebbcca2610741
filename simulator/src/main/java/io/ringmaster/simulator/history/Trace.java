package io.ringmaster.simulator.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
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
        String line = line(clock.nowMillis(), who, what);
        digest = digest * 1_000_003 + line.hashCode();
        lines.addLast(line);
        if (lines.size() > KEPT_LINES) {
            lines.removeFirst();
        }
        verbose.accept(line);
    }

    /** As {@code String.format("%9.3f  %-8s %s", ...)} writes it, which is slow. */
    private static String line(long millis, String who, String what) {
        String seconds = Long.toString(millis / 1000);
        String fraction = Long.toString(1000 + millis % 1000);
        return " ".repeat(Math.max(0, 5 - seconds.length())) + seconds + '.' + fraction.substring(1) + "  " + who
                + " ".repeat(Math.max(0, 8 - who.length())) + ' ' + what;
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Equal for equal traces. */
    public long digest() {
        return digest;
    }
}
