package io.ringmaster.companion.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.companion.CassandraParts;
import io.ringmaster.model.spec.LiveParameters;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.DurationSpec;
import org.junit.jupiter.api.Test;

/** Uses a configuration that no Cassandra runs with, and setters that only store. */
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
                            throw new IllegalArgumentException("must be greater than zero");
                        }
                        if (c.concurrent_compactors == 99) {
                            throw new NoClassDefFoundError("a class that this Cassandra lacks");
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
    void values_are_parsed_as_in_cassandra_yaml_and_reported_as_they_are_in_force() throws Settings.Refused {
        assertThat(settings.change(Map.of("read_request_timeout", "4s", "concurrent_compactors", 3), List.of()))
                .isEqualTo(Map.of("read_request_timeout", "4s", "concurrent_compactors", "3"));
        assertThat(running.read_request_timeout).isEqualTo(new DurationSpec.LongMillisecondsBound("4s"));
    }

    @Test
    void a_removed_parameter_is_reset_to_cassandras_default() throws Settings.Refused {
        assertThat(settings.change(Map.of(), List.of("tombstone_warn_threshold")))
                .isEqualTo(Map.of("tombstone_warn_threshold", "1000"));
        assertThat(refused(Map.of(), List.of("concurrent_compactors")))
                .hasEntrySatisfying(
                        "concurrent_compactors", why -> assertThat(why).contains("default is not known"));
    }

    @Test
    void one_invalid_value_changes_nothing() {
        assertThat(refused(Map.of("read_request_timeout", "four", "tombstone_warn_threshold", 5), List.of()))
                .containsOnlyKeys("read_request_timeout")
                .hasEntrySatisfying(
                        "read_request_timeout", why -> assertThat(why).contains("four"));
        assertThat(running.tombstone_warn_threshold).isEqualTo(77);
    }

    @Test
    void one_setter_that_refuses_reverts_all_parameters_set_before_it() {
        assertThat(refused(
                        Map.of("concurrent_compactors", 0, "tombstone_warn_threshold", 5, "read_request_timeout", "1s"),
                        List.of()))
                .isEqualTo(Map.of("concurrent_compactors", "must be greater than zero"));
        assertThat(running.concurrent_compactors).isEqualTo(2);
        assertThat(running.tombstone_warn_threshold).isEqualTo(77);
        assertThat(running.read_request_timeout).isEqualTo(new Config().read_request_timeout);
    }

    @Test
    void an_error_of_a_setter_leaves_nothing_half_set_either() {
        assertThat(refused(Map.of("concurrent_compactors", 99, "read_request_timeout", "1s"), List.of()))
                .isEqualTo(Map.of("concurrent_compactors", "a class that this Cassandra lacks"));
        assertThat(running.concurrent_compactors).isEqualTo(2);
        assertThat(running.read_request_timeout).isEqualTo(new Config().read_request_timeout);
    }

    @Test
    void a_parameter_that_is_read_only_at_the_start_is_refused() {
        assertThat(refused(Map.of("concurrent_reads", 4), List.of()))
                .isEqualTo(Map.of("concurrent_reads", "Cassandra reads it only at its start"));
    }

    @Test
    void every_live_parameter_of_the_model_has_a_setter_and_no_other() {
        assertThat(ParameterSetters.ALL.keySet()).isEqualTo(LiveParameters.names());
    }

    @Test
    void every_guardrail_setter_takes_cassandras_defaults() throws ReflectiveOperationException {
        CassandraParts.start();
        Config before = DatabaseDescriptor.getRawConfig();
        // a part of Cassandra's start that has no method of its own to call
        Method guardrails = DatabaseDescriptor.class.getDeclaredMethod("applyGuardrails");
        guardrails.setAccessible(true);
        DatabaseDescriptor.setConfig(new Config());
        try {
            guardrails.invoke(null);
            assertThat(GuardrailSetters.ALL).allSatisfy((name, setter) -> setter.accept(new Config()));
        } finally {
            DatabaseDescriptor.setConfig(before); // the other tests of this process need it
            guardrails.invoke(null);
        }
    }

    @Test
    void a_default_is_known_only_if_cassandra_has_one_before_its_start() {
        assertThat(LiveParameters.names())
                .filteredOn(LiveParameters::hasKnownDefault)
                .allSatisfy(name -> assertThat(Config.class.getField(name).get(new Config()))
                        .as(name)
                        .isNotNull());
    }
}
