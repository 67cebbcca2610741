package io.ringmaster.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.wire.client.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatientApplyTest {
    private final AtomicInteger asked = new AtomicInteger();

    private long refusedOnce(ErrorCode code) {
        if (asked.getAndIncrement() == 0) {
            throw new RefusedException(409, List.of(Problem.of(code, "datacenter dc2 cannot check its part")));
        }
        return 7;
    }

    @Test
    void a_datacenter_that_is_silent_at_first_is_asked_again() throws Exception {
        assertThat(PatientApply.of(() -> refusedOnce(ErrorCode.PEER_UNREACHABLE), Duration.ofMinutes(1)))
                .isEqualTo(7);
    }

    @Test
    void it_is_refused_when_the_time_is_over_and_at_once_for_another_reason() {
        assertThatThrownBy(() -> PatientApply.of(() -> refusedOnce(ErrorCode.PEER_UNREACHABLE), Duration.ofNanos(-1)))
                .isInstanceOf(RefusedException.class);
        asked.set(0);
        assertThatThrownBy(() -> PatientApply.of(() -> refusedOnce(ErrorCode.REQUEST_INVALID), Duration.ofMinutes(1)))
                .isInstanceOf(RefusedException.class);
        assertThat(asked).hasValue(1);
    }
}
