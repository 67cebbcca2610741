package io.ringmaster.companion.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.model.spec.LiveParameters;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DurationSpec;
import org.junit.jupiter.api.Test;

/** Against a configuration that nobody runs with, and setters that only store. */
class SettingsTest {
    private final Config running = new Config();
    private final Settings settings = new Settings(
            Map.<String, Consumer<Config>>of(
                    "read_request_timeout",
                    c -> running.read_request_timeout = c.read_request_timeout,
                    "tombstone_warn_threshold",
                    c -> running.tombstone_warn_threshold = c.tombstone_warn_threshold,
                    "concurrent_compactors",
                    c -> {
                        running.concurrent_compactors = c.concurrent_compactors;
                        if (c.concurrent_compactors < 1) {
                            throw new IllegalArgumentException("more than zero are needed");
                        }
                    }),
            running);

    SettingsTest() {
        running.concurrent_compactors = 2;
        running.tombstone_warn_threshold = 77;
    }

    private Map<String, String> refused(Map<String, Object> values, List<String> defaults) {
        return catchThrowableOfType(Settings.Refused.class, () -> settings.change(values, defaults))
                .reasons();
    }

    @Test
    void values_are_read_as_cassandra_reads_its_yaml_and_told_as_they_then_are() throws Settings.Refused {
        assertThat(settings.change(Map.of("read_request_timeout", "4s", "concurrent_compactors", 3), List.of()))
                .isEqualTo(Map.of("read_request_timeout", "4s", "concurrent_compactors", "3"));
        assertThat(running.read_request_timeout).isEqualTo(new DurationSpec.LongMillisecondsBound("4s"));
    }

    @Test
    void what_is_removed_has_cassandras_default_again() throws Settings.Refused {
        assertThat(settings.change(Map.of(), List.of("tombstone_warn_threshold")))
                .isEqualTo(Map.of("tombstone_warn_threshold", "1000"));
        assertThat(refused(Map.of(), List.of("concurrent_compactors")))
                .hasEntrySatisfying(
                        "concurrent_compactors", why -> assertThat(why).contains("default is not known"));
    }

    @Test
    void one_value_that_cannot_be_read_leaves_all_as_they_were() {
        assertThat(refused(Map.of("read_request_timeout", "four", "tombstone_warn_threshold", 5), List.of()))
                .containsOnlyKeys("read_request_timeout")
                .hasEntrySatisfying(
                        "read_request_timeout", why -> assertThat(why).contains("four"));
        assertThat(running.tombstone_warn_threshold).isEqualTo(77);
    }

    @Test
    void one_setter_that_refuses_puts_back_all_that_were_set_before_it() {
        assertThat(refused(
                        Map.of("concurrent_compactors", 0, "tombstone_warn_threshold", 5, "read_request_timeout", "1s"),
                        List.of()))
                .isEqualTo(Map.of("concurrent_compactors", "more than zero are needed"));
        assertThat(running.concurrent_compactors).isEqualTo(2);
        assertThat(running.tombstone_warn_threshold).isEqualTo(77);
        assertThat(running.read_request_timeout).isEqualTo(new Config().read_request_timeout);
    }

    @Test
    void a_parameter_that_is_read_only_at_the_start_is_refused() {
        assertThat(refused(Map.of("concurrent_reads", 4), List.of()))
                .isEqualTo(Map.of("concurrent_reads", "Cassandra takes it only when it starts"));
    }

    @Test
    void every_live_parameter_of_the_model_has_a_setter_and_no_other() {
        assertThat(Setters.ALL.keySet()).isEqualTo(LiveParameters.names());
    }

    @Test
    void a_default_is_called_known_only_where_cassandra_has_one_before_it_starts() {
        assertThat(LiveParameters.names())
                .filteredOn(LiveParameters::hasKnownDefault)
                .allSatisfy(name -> assertThat(Config.class.getField(name).get(new Config()))
                        .as(name)
                        .isNotNull());
    }
}
