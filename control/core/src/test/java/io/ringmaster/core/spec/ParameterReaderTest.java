package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterReaderTest {
    private static String with(String parameters) {
        return ClusterSpecsTest.RIDES.replace("cassandra_yaml: {}", "cassandra_yaml: {" + parameters + "}");
    }

    private static Map<String, Object> valid(String parameters) {
        ParsedSpec parsed = ClusterSpecs.parse(with(parameters));
        assertThat(parsed.problems()).isEmpty();
        return ((ParsedSpec.Valid) parsed).spec().cassandraYaml();
    }

    private static List<String> lines(String parameters) {
        return ClusterSpecs.parse(with(parameters)).problems().stream()
                .map(Problem::line)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "No", "off", "\"no\"", "false", "False"})
    void words_are_truth_values_where_cassandra_reads_one(String written) {
        assertThat(valid("hinted_handoff_enabled: " + written)).isEqualTo(Map.of("hinted_handoff_enabled", false));
        assertThat(valid("audit_logging_options: {enabled: " + written + "}"))
                .isEqualTo(Map.of("audit_logging_options", Map.of("enabled", false)));
    }

    @Test
    void words_without_a_type_are_truth_values_unless_they_are_quoted() {
        assertThat(valid("startup_checks: {check_data_resurrection: {enabled: yes, heartbeat_file: \"no\"}}"))
                .isEqualTo(Map.of(
                        "startup_checks",
                        Map.of("check_data_resurrection", Map.of("enabled", true, "heartbeat_file", "no"))));
    }

    @Test
    void the_list_form_of_a_class_is_kept_as_it_is_written() {
        String written = "{class_name: A, parameters: [{fail_on_missing_provider: \"false\"}]}";
        List<Object> expected =
                List.of(Map.of("class_name", "A", "parameters", List.of(Map.of("fail_on_missing_provider", "false"))));
        assertThat(valid("crypto_provider: [" + written + "]")).isEqualTo(Map.of("crypto_provider", expected));
        assertThat(valid("commitlog_compression: [{class_name: A}]"))
                .isEqualTo(Map.of("commitlog_compression", List.of(Map.of("class_name", "A"))));
        assertThat(valid("audit_logging_options: {logger: [" + written + "]}"))
                .isEqualTo(Map.of("audit_logging_options", Map.of("logger", expected)));
    }

    @Test
    void a_list_of_one_value_is_the_value() {
        assertThat(valid("read_request_timeout: [\"5s\"]")).isEqualTo(Map.of("read_request_timeout", "5s"));
        assertThat(valid("concurrent_reads: [8]")).isEqualTo(Map.of("concurrent_reads", 8));
        assertThat(valid("hinted_handoff_disabled_datacenters: [dc1]"))
                .isEqualTo(Map.of("hinted_handoff_disabled_datacenters", List.of("dc1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "commitlog_sync: periodic, commitlog_sync_period: 1s",
                "commitlog_sync_period: 1s",
                "commitlog_sync: group, commitlog_sync_group_window: 10ms",
                "commitlog_sync: batch",
            })
    void each_kind_of_sync_of_the_commit_log_takes_its_own_parameters_and_a_restart(String parameters) {
        ClusterSpec before = ((ParsedSpec.Valid) ClusterSpecs.parse(ClusterSpecsTest.RIDES)).spec();
        assertThat(SpecDiff.between(before, before.withCassandraYaml(valid(parameters)))
                        .restarts())
                .isTrue();
    }

    @Test
    void a_stored_spec_reads_as_it_was_written() {
        ParsedSpec parsed = ClusterSpecs.parseStored(with("hinted_handoff_enabled: no, concurent_reads: x"));
        assertThat(((ParsedSpec.Valid) parsed).spec().cassandraYaml())
                .isEqualTo(Map.of("hinted_handoff_enabled", "no", "concurent_reads", "x"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "concurent_reads: 64 | concurent_reads: is not a parameter of Cassandra 5.0.9 (line 9)"
                        + " -> did you mean 'concurrent_reads'?",
                "audit_logging_options: {enabeld: true} | audit_logging_options.enabeld: is not a parameter of"
                        + " Cassandra 5.0.9 (line 9) -> did you mean 'enabled'?",
                "'concurrent_reads: [1,2]' | concurrent_reads: is a list, allowed: a whole number (line 9)",
                "hinted_handoff_enabled: maybe | hinted_handoff_enabled: 'maybe' is not allowed,"
                        + " allowed: true or false (line 9)",
                "read_request_timeout: 5 | read_request_timeout: '5' is not allowed,"
                        + " allowed: a whole number with ms, s, m, h, d, such as 16ms (line 9)",
                "key_cache_size: 50MB | key_cache_size: '50MB' is not allowed,"
                        + " allowed: a whole number with MiB, GiB, such as 16MiB (line 9)",
                "crypto_provider: [{class_nam: A}] | crypto_provider: is a list, allowed: the name of a class, or"
                        + " a mapping of class_name and parameters (line 9)",
                "commitlog_sync: perodic | commitlog_sync: 'perodic' is not allowed,"
                        + " allowed: one of periodic, batch, group (line 9)",
                "commitlog_sync: group | commitlog_sync: is group, which needs commitlog_sync_group_window (line 9)"
                        + " -> set commitlog_sync_group_window: 10ms",
                "'commitlog_sync: batch, commitlog_sync_period: 1s' | commitlog_sync: is batch, with which Cassandra"
                        + " does not take commitlog_sync_period (line 9) -> leave commitlog_sync_period out",
                "'commitlog_sync: batch, periodic_commitlog_sync_lag_block: 1s' | commitlog_sync: is batch, with which"
                        + " Cassandra does not take periodic_commitlog_sync_lag_block (line 9) -> leave"
                        + " periodic_commitlog_sync_lag_block out",
                "max_hint_window_in_ms: 5s | max_hint_window_in_ms: '5s' is not allowed,"
                        + " allowed: a whole number (line 9)",
            })
    void what_cassandra_would_refuse_is_refused_by_parameter(String parameter, String problem) {
        assertThat(lines(parameter)).containsExactly("cassandra_yaml." + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max_hint_window_in_ms: 3600000 | max_hint_window | 3600000ms",
                "stream_throughput_outbound_megabits_per_sec: 200 | stream_throughput_outbound | 25000000B/s",
                "compaction_throughput_mb_per_sec: 64 | compaction_throughput | 64MiB/s",
                "enable_user_defined_functions: on | user_defined_functions_enabled | true",
                "key_cache_save_period: 14400 | key_cache_save_period | 14400s",
                "permissions_update_interval_in_ms: -1 | permissions_update_interval_in_ms | -1",
            })
    void a_former_name_is_the_parameter_that_cassandra_makes_of_it(String written, String name, String value) {
        assertThat(valid(written)).hasSize(1).hasEntrySatisfying(name, v -> assertThat(v)
                .hasToString(value));
    }

    @Test
    void one_parameter_by_two_names_is_refused() {
        assertThat(lines("max_hint_window_in_ms: 1000, max_hint_window: 2h"))
                .containsExactly("cassandra_yaml.max_hint_window_in_ms: is a former name of the parameter"
                        + " max_hint_window, which is also given (line 9) -> keep one of them");
        assertThat(lines("internode_send_buff_size_in_bytes: 1000, internode_socket_send_buffer_size_in_bytes: 2000"))
                .hasSize(1);
    }

    @Test
    void a_former_name_is_set_live_where_the_current_one_is() {
        ClusterSpec before = ((ParsedSpec.Valid) ClusterSpecs.parse(ClusterSpecsTest.RIDES)).spec();
        ClusterSpec after = before.withCassandraYaml(valid("max_hint_window_in_ms: 3600000"));
        assertThat(SpecDiff.between(before, after).restarts()).isFalse();
    }

    @Test
    void a_newer_cassandra_may_know_more_parameters() {
        String newer = with("brand_new: 1").replace("cassandra: 5.0.9", "cassandra: 5.0.10");
        assertThat(ClusterSpecs.parse(newer).problems()).isEmpty();
    }
}
