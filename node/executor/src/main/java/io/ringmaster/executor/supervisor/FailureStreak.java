package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.log.Log;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Failures of the executor itself, one after another. The servers take a reported failure of an executor as one that
 * waiting does not solve, so it is reported only when the same cause has lasted; each cause is logged once.
 */
final class FailureStreak {
    static final int TURNS = 5;
    static final Duration LASTING = Duration.ofSeconds(60);

    private final String what;
    private final LongSupplier nanoTime;
    private String cause = "";
    private int turns;
    private long since;

    /** @param what what fails, for the log and the problem: {@code cannot advance} */
    FailureStreak(String what) {
        this(what, System::nanoTime);
    }

    FailureStreak(String what, LongSupplier nanoTime) {
        this.what = what;
        this.nanoTime = nanoTime;
    }

    /** @return the problem, once this cause has lasted for {@link #TURNS} turns and for {@link #LASTING} */
    Optional<Problem> failed(Exception e) {
        // the names of temporary files have numbers, and differ from turn to turn
        String now = e.toString().replaceAll("[0-9]+", "#");
        if (!now.equals(cause)) {
            Log.error(what, e);
            cause = now;
            turns = 0;
            since = nanoTime.getAsLong();
        }
        turns++;
        return turns >= TURNS && nanoTime.getAsLong() - since >= LASTING.toNanos()
                ? Optional.of(
                        Problem.of(ErrorCode.EXECUTOR_FAILED, "executor: " + what + ": " + e, "read executor.log"))
                : Optional.empty();
    }

    /**
     * Records that it succeeded.
     *
     * @return whether it had failed before
     */
    boolean passed() {
        if (turns == 0) {
            return false;
        }
        Log.info("'" + what + "' is over, after " + turns + " turns");
        cause = "";
        turns = 0;
        return true;
    }
}
