package io.ringmaster.executor.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.node.Stage;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DaemonStateTest {
    private static final Instant FIRST = Instant.parse("2026-01-02T03:04:05Z");
    private static final Instant LATER = FIRST.plusSeconds(256);

    @Test
    void the_first_start_of_a_daemon_belongs_to_the_launch_of_the_node() {
        var launched = DaemonState.none().withStages(Map.of(Stage.EXECUTOR, FIRST));
        assertThat(launched.started(1, 0, "print", FIRST.plusSeconds(1)).stages())
                .isEqualTo(Map.of(Stage.EXECUTOR, FIRST));
    }

    @Test
    void a_later_start_is_timed_from_its_own_beginning() {
        var joined = DaemonState.none()
                .started(1, 0, "print", FIRST)
                .joinedAt(Map.of(Stage.EXECUTOR, FIRST, Stage.DAEMON, FIRST, Stage.JOINED, FIRST));
        var again = joined.started(1, 0, "print", LATER);
        assertThat(again.stages()).isEqualTo(Map.of(Stage.LAUNCH, LATER));
        assertThat(again.joined()).isTrue();
    }
}
