package io.ringmaster.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class IdleTest {
    private static final Idle BEFORE = Idle.parse("cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1 2 3\n");

    @Test
    void the_share_lies_between_two_readings() {
        Idle after = Idle.parse("cpu  200 0 150 800 110 5 5 30 50 0\n");
        // 100 idle and 10 waiting of 300; the guest time of 50 is in the user time already
        assertThat(after.shareSince(BEFORE)).isCloseTo(110 / 300.0, within(1e-9));
        assertThat(after.coresSince(BEFORE))
                .isCloseTo(110 / 300.0 * Runtime.getRuntime().availableProcessors(), within(1e-9));
    }

    @Test
    void no_time_between_is_no_idle_time() {
        assertThat(BEFORE.shareSince(BEFORE)).isZero();
    }

    @Test
    void this_computer_has_such_a_file() throws IOException {
        assertThat(Idle.read().total()).isPositive();
        assertThatThrownBy(() -> Idle.parse("intr 1 2 3")).hasMessageContaining("intr 1 2 3");
    }
}
