package io.ringmaster.simulator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** What happened in a run, in order: the last lines, and a digest of all of them. */
final class Trace {
    private static final int KEPT = 600;

    private final VirtualClock timeline;
    private final Consumer<String> verbose;
    private final Deque<String> lines = new ArrayDeque<>();
    private long digest = 17;

    Trace(VirtualClock timeline, Consumer<String> verbose) {
        this.timeline = timeline;
        this.verbose = verbose;
    }

    void add(String who, String what) {
        String line = String.format(Locale.ROOT, "%9.3f  %-8s %s", timeline.nowMillis() / 1000.0, who, what);
        digest = digest * 1_000_003 + line.hashCode();
        lines.addLast(line);
        if (lines.size() > KEPT) {
            lines.removeFirst();
        }
        verbose.accept(line);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    /** Equal for equal traces. */
    long digest() {
        return digest;
    }
}
