package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailureStreakTest {
    private final AtomicLong time = new AtomicLong();
    private final FailureStreak turns = new FailureStreak("cannot advance", time::get);

    private static Exception readOnly(int turn) {
        return new FileSystemException("daemon.json.7-" + turn + ".new: Read-only file system");
    }

    private void passes(Duration by) {
        time.addAndGet(by.toNanos());
    }

    @Test
    void a_cause_that_lasts_is_a_problem_although_the_names_of_temporary_files_differ() {
        for (int turn = 1; turn < FailureStreak.TURNS; turn++) {
            assertThat(turns.failed(readOnly(turn))).isEmpty();
        }
        passes(FailureStreak.LASTING);
        assertThat(turns.failed(readOnly(9)))
                .hasValueSatisfying(p -> assertThat(p.code()).isEqualTo(ErrorCode.EXECUTOR_FAILED))
                .map(Problem::message)
                .hasValueSatisfying(m -> assertThat(m)
                        .startsWith("executor: cannot advance: ")
                        .endsWith("daemon.json.7-9.new: Read-only file system"));
    }

    @Test
    void few_turns_are_not_enough_however_long_they_took() {
        for (int turn = 1; turn < FailureStreak.TURNS; turn++) {
            assertThat(turns.failed(readOnly(turn))).isEmpty();
            passes(FailureStreak.LASTING);
        }
        assertThat(turns.failed(readOnly(5))).isPresent();
    }

    @Test
    void another_cause_and_a_turn_that_passed_are_counted_from_the_first() {
        for (int turn = 1; turn <= FailureStreak.TURNS; turn++) {
            var unused = turns.failed(readOnly(turn));
        }
        passes(FailureStreak.LASTING);
        assertThat(turns.failed(new IOException("another"))).isEmpty();
        assertThat(turns.passed()).isTrue();
        assertThat(turns.passed()).isFalse();
        passes(FailureStreak.LASTING);
        assertThat(turns.failed(new IOException("another"))).isEmpty();
    }
}
