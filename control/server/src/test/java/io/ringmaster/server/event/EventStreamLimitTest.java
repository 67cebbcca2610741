package io.ringmaster.server.event;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.server.refusal.ProblemException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventStreamLimitTest {
    @Test
    void a_follower_beyond_the_limit_is_refused_before_its_answer_starts() {
        var stream = new EventStream(EventRing.ofFleet(Instant.EPOCH), () -> true, () -> Instant.EPOCH);
        for (int i = 0; i < 64; i++) {
            stream.admit();
        }
        assertThatThrownBy(stream::admit).isInstanceOf(ProblemException.class).hasMessageContaining("64 followers");
    }
}
