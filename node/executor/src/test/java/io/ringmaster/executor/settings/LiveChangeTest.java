package io.ringmaster.executor.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.daemon.LiveSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveChangeTest {
    private static final Map<String, Object> HAS =
            Map.of("read_request_timeout", "4s", "max_hint_window", "1h", "concurrent_compactors", 2);

    private static Optional<LiveChange> between(LiveSettings has, Map<String, Object> yaml) {
        return LiveChange.between(has, yaml);
    }

    @Test
    void a_change_holds_only_differences_and_resets_removed_parameters() {
        Map<String, Object> wanted =
                Map.of("read_request_timeout", "5s", "concurrent_compactors", 2, "concurrent_reads", 9);
        assertThat(between(LiveSettings.started(HAS), wanted))
                .contains(new LiveChange(Map.of("read_request_timeout", "5s"), List.of("max_hint_window")));
        assertThat(between(LiveSettings.started(HAS), HAS))
                .hasValueSatisfying(c -> assertThat(c.changesNothing()).isTrue());
    }

    @Test
    void a_removed_parameter_without_a_known_default_needs_a_restart() {
        assertThat(between(LiveSettings.started(HAS), Map.of("read_request_timeout", "4s", "max_hint_window", "1h")))
                .isEmpty();
    }

    @Test
    void parameters_that_a_dead_executor_may_have_changed_are_set_again() {
        LiveSettings unsure = new LiveSettings(HAS, List.of("read_request_timeout", "request_timeout"), Map.of());
        assertThat(between(unsure, HAS))
                .contains(new LiveChange(Map.of("read_request_timeout", "4s"), List.of("request_timeout")));
    }
}
