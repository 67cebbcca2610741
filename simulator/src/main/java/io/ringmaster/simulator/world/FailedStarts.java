package io.ringmaster.simulator.world;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import org.jspecify.annotations.Nullable;

/**
 * The starts of a daemon that fail in its executor, one after another, with the rules of node/executor: they are a
 * problem of the node only when they have lasted.
 */
final class FailedStarts {
    private static final int TURNS = 5;
    private static final int LASTING_MILLIS = 60_000;
    private static final int MAX_PAUSE_MILLIS = 30_000;

    private boolean failing;
    private int turns;
    private long sinceMillis;

    /** Whether each start fails, from now on. */
    void fail(boolean each) {
        failing = each;
    }

    boolean isFailing() {
        return failing;
    }

    /** @return the problem, if it has lasted */
    @Nullable
    Problem failed(long nowMillis) {
        if (turns == 0) {
            sinceMillis = nowMillis;
        }
        turns++;
        return turns >= TURNS && nowMillis - sinceMillis >= LASTING_MILLIS
                ? Problem.of(ErrorCode.EXECUTOR_FAILED, "executor: cannot advance")
                : null;
    }

    long pauseMillis() {
        return Math.min(MAX_PAUSE_MILLIS, 500L << Math.min(6, turns));
    }

    /** It has done something, or is another process. */
    void passed() {
        turns = 0;
    }
}
