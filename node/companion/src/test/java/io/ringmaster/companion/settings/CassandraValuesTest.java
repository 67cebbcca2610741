package io.ringmaster.companion.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.spec.ClusterSpecs;
import io.ringmaster.core.spec.ParsedSpec;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.ParameterizedClass;
import org.apache.cassandra.config.YamlConfigurationLoader;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * A spec takes every value here that Cassandra's own loader takes, and means the same by it. Any other it refuses,
 * except a list of one value, which it takes as that value.
 */
class CassandraValuesTest {
    private static final String SPEC =
            """
            cluster: rides
            cassandra: 5.0.9
            datacenters: {dc1: {nodes: 1}}
            node: {cpus: 1, memory: 8GiB, disk: 100GiB}
            cassandra_yaml: {%s: %s}
            """;

    /** Parameters, each with values separated by spaces; a tilde stands for a space. */
    private static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry(
                    "hinted_handoff_enabled",
                    "no off yes on true False 'no' \"OFF\" y n 0 1 maybe '~no' [true] [[true]] {a:~true}"),
            Map.entry("enable_user_defined_functions", "no on maybe 1"),
            Map.entry(
                    "concurrent_reads",
                    "8 '8' 010 0x10 1_0 1:30 0b11 +8 -8 8.0 1e1 3000000000 2147483647 2147483648 0o10 09 [1,2] true x"),
            Map.entry("concurrent_compactors", "8 '8' 8.5 [8] [8,8]"),
            Map.entry("partition_tombstones_warn_threshold", "8 3000000000 9223372036854775808 x"),
            Map.entry("phi_convict_threshold", "8 8.5 '8' 1e1 1_0.5 1:30 +8.5 x [8,8]"),
            Map.entry(
                    "read_request_timeout",
                    "5 0 5s '5~s' [5s] [\"5s\"] [5] [5s,5s] [] 5S 5us 5µs 005s 5ms 5d -5s 5.5s 5min"
                            + " 9223372036854775807ms 99999999999999999999s x"),
            Map.entry("max_hint_window", "3h 2147483646ms 2147483647ms 2147483648ms 24d 25d 1us"),
            Map.entry("cdc_block_writes", "no yes"),
            Map.entry("key_cache_size", "50MB 50MiB 0 0MiB 50KiB 1GiB 1TiB 50 8589934591GiB -1MiB 9007199254740992GiB"),
            Map.entry("column_index_size", "4KiB 4B 2147483646KiB 2147483647KiB 2097151MiB 2097152MiB"),
            Map.entry("compaction_throughput", "64 0 64MiB/s 64KiB/s 64B/s 64GiB/s 64mib/s 9223372036854775807MiB/s"),
            Map.entry("commitlog_sync", "periodic PERIODIC batch perodic"),
            Map.entry("disk_failure_policy", "best_effort stop die nothing"),
            Map.entry("hinted_handoff_disabled_datacenters", "[dc1] dc1 [no] [1,2] [] [[dc1]]"),
            Map.entry("write_consistency_levels_warned", "[ANY] [any] ANY [ANY,ONE]"),
            Map.entry("max_hint_window_in_ms", "1000 -1 3000000000 1s '1000' x"),
            Map.entry("key_cache_save_period", "14400 4h 4x '0' -1"),
            Map.entry("commitlog_sync_group_window_in_ms", "1.6 2 x"),
            Map.entry("permissions_update_interval_in_ms", "-1 100 x"),
            Map.entry("sstable_preemptive_open_interval_in_mb", "-1 100 x"),
            Map.entry("cache_load_timeout_seconds", "-1 100"),
            Map.entry("stream_throughput_outbound_megabits_per_sec", "0 200 -1 x"),
            Map.entry("native_transport_max_concurrent_requests_in_bytes", "-1 3000000000"),
            Map.entry("compaction_large_partition_warning_threshold", "10MiB 10 10KiB"),
            Map.entry("compaction_tombstone_warning_threshold", "5 x"),
            Map.entry("user_defined_function_warn_timeout", "500 500ms"),
            Map.entry(
                    "authenticator",
                    "AllowAllAuthenticator {class_name:~A} {class_name:~A,~parameters:~{a:~b}} {class_nam:~A} 5 [A]"),
            Map.entry(
                    "crypto_provider",
                    "[{class_name:~A,~parameters:~[{fail_on_missing_provider:~\"false\"}]}] [{class_name:~A}]"
                            + " [{class_name:~A,~parameters:~{a:~b}}] [{class_nam:~A,~parameters:~[]}]"),
            Map.entry("commitlog_compression", "[{class_name:~LZ4Compressor}] {class_name:~LZ4Compressor}"),
            Map.entry("hints_compression", "[{class_name:~LZ4Compressor,~parameters:~[{lz4_compressor_type:~high}]}]"),
            Map.entry(
                    "audit_logging_options",
                    "{} {enabled:~no} {enabeld:~true} {max_log_size:~x} true [1,2]"
                            + " {logger:~[{class_name:~BinAuditLogger}]} {logger:~{class_name:~BinAuditLogger}}"),
            Map.entry("server_encryption_options", "{internode_encryption:~all} {internode_encryption:~ALL}"),
            Map.entry("startup_checks", "{check_data_resurrection:~{enabled:~no}}"),
            Map.entry("concurent_reads", "8"),
            Map.entry("auto_snapshot", "[]"));

    private static final Pattern LIST_OF_ONE = Pattern.compile("\\[[^,\\[{]+\\]");

    @TempDir
    private Path directory;

    @TestFactory
    Stream<DynamicTest> a_value_is_taken_and_read_as_cassandra_takes_and_reads_it() {
        return VALUES.entrySet().stream().flatMap(e -> Stream.of(e.getValue().split(" ", -1))
                .map(v -> v.replace('~', ' '))
                .map(v -> DynamicTest.dynamicTest(e.getKey() + ": " + v, () -> compare(e.getKey(), v))));
    }

    private void compare(String name, String value) throws IOException, IllegalAccessException {
        Optional<Config> cassandra = load(name + ": " + value + "\n");
        ParsedSpec ours = ClusterSpecs.parse(SPEC.formatted(name, value));
        if (cassandra.isPresent() || !LIST_OF_ONE.matcher(value).matches()) {
            assertThat(ours instanceof ParsedSpec.Valid)
                    .as("Cassandra " + (cassandra.isPresent() ? "takes" : "refuses") + " it; problems: "
                            + ours.problems())
                    .isEqualTo(cassandra.isPresent());
        }
        if (ours instanceof ParsedSpec.Valid valid) {
            StringBuilder yaml = new StringBuilder();
            for (Map.Entry<String, Object> e : valid.spec().cassandraYaml().entrySet()) {
                yaml.append(e.getKey()).append(": ").append(json(e.getValue())).append('\n');
            }
            Config written = load(yaml.toString()).orElseThrow();
            if (cassandra.isPresent()) {
                assertSame(written, cassandra.get());
            }
        }
    }

    private static void assertSame(Config written, Config cassandra) throws IllegalAccessException {
        for (Field field : Config.class.getFields()) {
            String type = field.getType().getName();
            if (type.startsWith("java.")
                    || field.getType().isPrimitive()
                    || field.getType() == ParameterizedClass.class
                    || type.contains("Spec")) {
                assertThat(field.get(written)).as(field.getName()).isEqualTo(field.get(cassandra));
            }
        }
    }

    private Optional<Config> load(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("cassandra.yaml"), yaml);
        try {
            return Optional.of(
                    new YamlConfigurationLoader().loadConfig(file.toUri().toURL()));
        } catch (ConfigurationException e) {
            return Optional.empty();
        }
    }

    /** As the executor writes it: text in quotes. */
    private static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(e -> json(String.valueOf(e.getKey())) + ": " + json(e.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof Iterable<?> list) {
            return StreamSupport.stream(list.spliterator(), false)
                    .map(CassandraValuesTest::json)
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
    }
}
