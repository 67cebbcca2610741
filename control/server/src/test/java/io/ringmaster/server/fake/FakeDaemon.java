package io.ringmaster.server.fake;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The daemon of a fake node. It is STARTING for one pace and, if it was never NORMAL, JOINING for another; without a
 * pace it is NORMAL at once.
 */
final class FakeDaemon {
    /** As many exits as make a plan fail. */
    private static final int EXITS = 3;

    private final Supplier<Duration> pace;
    private final Instant executorStarted;
    private @Nullable Instant started;
    private Instant stopped;
    private long restarts;
    private boolean joined;
    private @Nullable Problem failure;

    FakeDaemon(Supplier<Duration> pace, Instant executorStarted) {
        this.pace = pace;
        this.executorStarted = executorStarted;
        this.stopped = executorStarted;
    }

    synchronized void follow(NodeTarget target) {
        boolean restart = target.restarts() > restarts;
        restarts = target.restarts();
        if (!target.run()) {
            stop(null);
        } else if (restart || (started == null && failure == null)) {
            start();
        }
    }

    synchronized void start() {
        failure = null;
        started = Instant.now();
    }

    /** @param why what the executor reports, or null for a stop that was asked for */
    synchronized void stop(@Nullable Problem why) {
        failure = why;
        if (started != null) {
            started = null;
            stopped = Instant.now();
        }
    }

    synchronized OperatingMode mode() {
        if (started == null) {
            return OperatingMode.DOWN;
        }
        Instant now = Instant.now();
        if (now.isBefore(started.plus(pace.get()))) {
            return OperatingMode.STARTING;
        }
        if (!joined && now.isBefore(started.plus(pace.get().multipliedBy(2)))) {
            return OperatingMode.JOINING;
        }
        joined = true;
        return OperatingMode.NORMAL;
    }

    synchronized String activity() {
        return switch (mode()) {
            case STARTING -> "reads system tables";
            case JOINING -> "streams its ranges";
            case NORMAL -> "serves";
            default ->
                failure != null ? failure.message() : restarts > 0 || joined ? "stopped" : "waits for its target";
        };
    }

    synchronized Instant since() {
        return started == null ? stopped : started;
    }

    synchronized Map<Stage, Instant> stages() {
        var stages = new TreeMap<>(Map.of(Stage.EXECUTOR, executorStarted));
        if (started != null && mode() != OperatingMode.STARTING) {
            stages.put(Stage.DAEMON, started.plus(pace.get()));
        }
        if (started != null && mode() == OperatingMode.NORMAL) {
            stages.put(Stage.JOINED, started.plus(pace.get().multipliedBy(2)));
        }
        return stages;
    }

    synchronized int exits() {
        return failure == null ? 0 : EXITS;
    }

    synchronized @Nullable Problem failure() {
        return failure;
    }
}
