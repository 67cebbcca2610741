package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.model.spec.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSpecsTest {
    static final String RIDES =
            """
            cluster: rides
            cassandra: 5.0.9
            preset: development
            datacenters:
              dc1: {nodes: 3, seeds: 2}
              dc2: {nodes: 3, seeds: 2}
            node: {cpus: 1, memory: 1GiB, heap: 256MiB, disk: 4GiB}
            jvm: {collector: serial, options: []}
            cassandra_yaml: {}
            placement: {nodes_per_machine: 1}
            """;

    private static ClusterSpec valid(String yaml) {
        ParsedSpec parsed = ClusterSpecs.parse(yaml);
        assertThat(parsed.problems()).isEmpty();
        return ((ParsedSpec.Valid) parsed).spec();
    }

    private static List<String> lines(String yaml) {
        return ClusterSpecs.parse(yaml).problems().stream().map(Problem::line).toList();
    }

    private static String with(String from, String to) {
        assertThat(RIDES).contains(from);
        return RIDES.replace(from, to);
    }

    @Test
    void the_example_is_what_the_documentation_shows() throws IOException {
        assertThat(valid(Files.readString(Path.of("../../examples/rides.yaml"))))
                .isEqualTo(valid(RIDES));
        assertThat(valid(RIDES)).isEqualTo(Samples.spec("rides", 3, 2, 3, 2));
    }

    @Test
    void a_missing_field_gets_the_documented_default() {
        ClusterSpec spec = valid(
                """
                cluster: eats
                cassandra: 5.0.9
                datacenters: {dc1: {nodes: 1}, dc2: {nodes: 5}}
                node: {cpus: 0.5, memory: 2GiB, disk: 10GiB}
                """);
        assertThat(spec.preset()).isEqualTo(Preset.PRODUCTION);
        assertThat(spec.datacenters()).extracting(dc -> dc.seeds()).containsExactly(1, 2);
        assertThat(spec.resources().heapBytes()).isEqualTo(Samples.GIB);
        assertThat(spec.resources().cpuMillis()).isEqualTo(500);
        assertThat(spec.jvm()).isEqualTo(new JvmSpec(JvmSpec.Collector.SHENANDOAH, List.of()));
        assertThat(spec.cassandraYaml()).isEmpty();
        assertThat(spec.placement().nodesPerMachine()).isEqualTo(1);
    }

    @Test
    void every_problem_is_reported_at_once() {
        String yaml =
                """
                cluster: Rides
                cassandra: 4.1.0
                datacenters:
                  dc1: {nodes: 3, seeds: 5}
                  dc2: {nodes: 0}
                node: {cpus: many, memory: 1GB, heap: 256MiB, disk: 4GiB}
                heep: 1
                """;
        assertThat(ClusterSpecs.parse(yaml).problems())
                .extracting(Problem::field)
                .containsExactlyInAnyOrder(
                        "heep",
                        "cluster",
                        "cassandra",
                        "datacenters.dc1.seeds",
                        "datacenters.dc2.nodes",
                        "node.cpus",
                        "node.memory");
        assertThat(ClusterSpecs.parse(yaml).problems())
                .allSatisfy(p -> assertThat(p.code()).isEqualTo(ErrorCode.SPEC_INVALID));
    }

    @Test
    void an_unknown_field_gets_a_guess() {
        assertThat(lines(with("memory:", "memroy:")))
                .containsExactly(
                        "node.memroy: is not a field of a spec (line 7) -> did you mean 'memory'?",
                        "node.memory: is missing, required: " + Size.FORM + " (line 7)");
        assertThat(lines(RIDES + "colour: blue\n"))
                .singleElement()
                .asString()
                .startsWith("colour: is not a field of a spec (line 11) -> known: cluster, cassandra, preset");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1GB", "1 gib", "1024", "1GiB?", "-1GiB", "lots", "99999999999999TiB", "[1GiB]"})
    void a_size_needs_a_unit_that_is_allowed(String written) {
        assertThat(lines(with("memory: 1GiB", "memory: " + written)))
                .singleElement()
                .asString()
                .startsWith("node.memory: ")
                .contains(written.replaceAll("[\\[\\]?]", "").startsWith("1GiB") ? "" : written)
                .contains("allowed: a size in KiB, MiB, GiB or TiB");
    }

    @Test
    void more_seeds_than_nodes_name_datacenter_value_and_what_is_allowed() {
        assertThat(lines(with("dc2: {nodes: 3, seeds: 2}", "dc2: {nodes: 3, seeds: 4}")))
                .containsExactly("datacenters.dc2.seeds: 4 seeds among 3 nodes, allowed: 1 to 3 (line 6)");
    }

    @ParameterizedTest
    @CsvSource({
        "nodes: 3, nodes: 0, datacenters.dc1.nodes: '0' is not allowed",
        "nodes: 3, nodes: three, datacenters.dc1.nodes: is the text 'three'",
        "nodes: 3, nodes: \"3\", datacenters.dc1.nodes: is the text '3'",
        "nodes: 3, nodes: 2.5, datacenters.dc1.nodes: is '2.5'",
        "nodes: 3, nodes: 1001, datacenters.dc1.nodes: '1001' is not allowed"
    })
    void a_count_is_a_whole_number_in_its_range(String from, String to, String problem) {
        String yaml = RIDES.replace("dc1: {" + from + ", seeds: 2}", "dc1: {" + to + "}");
        assertThat(lines(yaml))
                .singleElement()
                .asString()
                .startsWith(problem)
                .contains("allowed: a whole number from 1 to 1000");
    }

    @Test
    void the_heap_leaves_memory_for_the_rest_of_the_node() {
        assertThat(lines(with("heap: 256MiB", "heap: 900MiB")))
                .containsExactly(
                        "node.heap: a heap of 900 MiB needs memory of 1.1 GiB or more (preset development: the heap and the"
                                + " larger of 256 MiB and a quarter of it), node.memory is 1 GiB (line 7)"
                                + " -> lower node.heap to 768MiB or raise node.memory");
        assertThat(valid(with("heap: 256MiB", "heap: 768MiB")).resources().heapBytes())
                .isEqualTo(768 * Samples.MIB);
        assertThat(lines(with("memory: 1GiB, heap: 256MiB", "memory: 10GiB, heap: 9GiB")))
                .singleElement()
                .asString()
                .contains("lower node.heap to 8GiB");
        assertThat(lines(with("heap: 256MiB", "heap: 64MiB")))
                .containsExactly("node.heap: 64 MiB is too small, allowed: 96 MiB or more (line 7)");
    }

    @Test
    void names_are_checked() {
        assertThat(lines(with("cluster: rides", "cluster: ../etc")))
                .singleElement()
                .asString()
                .startsWith("cluster: '../etc' is not allowed, allowed: a name");
        assertThat(lines(with("  dc2:", "  Dc_2:")))
                .singleElement()
                .asString()
                .startsWith("datacenters.Dc_2: 'Dc_2' is not a datacenter name");
        assertThat(lines(with("dc2: {nodes: 3, seeds: 2}", "dc2: {nodes: 3, racks: [r1, r1, 'r 2']}")))
                .satisfiesExactly(
                        l -> assertThat(l).startsWith("datacenters.dc2.racks: 'r1' is listed twice"),
                        l -> assertThat(l).startsWith("datacenters.dc2.racks: 'r 2' is not allowed"));
    }

    @Test
    void a_field_that_is_given_twice_is_refused() {
        assertThat(lines(with("  dc2:", "  dc1:")))
                .containsExactly("datacenters.dc1: is given twice (line 6) -> keep one of them");
        assertThat(lines(RIDES + "cluster: eats\n"))
                .containsExactly("cluster: is given twice (line 11) -> keep one of them");
    }

    @Test
    void a_wrong_type_is_reported() {
        assertThat(lines(with("node: {cpus: 1, memory: 1GiB, heap: 256MiB, disk: 4GiB}", "node: 4GiB")))
                .containsExactly("node: is the text '4GiB', allowed: a mapping (line 7)");
        assertThat(lines(with("options: []", "options: -Xss1m")))
                .containsExactly("jvm.options: is the text '-Xss1m', allowed: a list of options (line 8)");
        assertThat(lines(RIDES.replaceAll("datacenters:\n.*\n.*\n", "datacenters: {}\n")))
                .containsExactly("datacenters: names no datacenter, allowed: one or more (line 4)");
        assertThat(lines("just words"))
                .singleElement()
                .asString()
                .startsWith("is the text 'just words', allowed: a mapping");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listen_address: 0.0.0.0",
                "rpc_address: 0.0.0.0",
                "storage_port: 7000",
                "native_transport_port: 9042",
                "cluster_name: other",
                "num_tokens: 16",
                "initial_token: 5",
                "endpoint_snitch: SimpleSnitch",
                "seed_provider: []",
                "data_file_directories: [/data]",
                "commitlog_directory: /log",
                "auto_bootstrap: false",
                "partitioner: x"
            })
    void parameters_that_ringmaster_owns_are_refused_with_why(String parameter) {
        assertThat(lines(with("cassandra_yaml: {}", "cassandra_yaml: {" + parameter + "}")))
                .singleElement()
                .asString()
                .startsWith("cassandra_yaml." + parameter.substring(0, parameter.indexOf(':')) + ": cannot be set: ")
                .endsWith("-> leave it out");
    }

    @Test
    void any_other_parameter_is_kept_unchanged() {
        ClusterSpec spec = valid(
                with(
                        "cassandra_yaml: {}",
                        "cassandra_yaml: {concurrent_reads: 64, auto_snapshot: false, read_request_timeout: 5000ms,"
                                + " phi_convict_threshold: 8.5, audit_logging_options: {enabled: true, included_keyspaces: 'a,b'}}"));
        assertThat(spec.cassandraYaml())
                .isEqualTo(Map.of(
                        "concurrent_reads",
                        64,
                        "auto_snapshot",
                        false,
                        "read_request_timeout",
                        "5000ms",
                        "phi_convict_threshold",
                        8.5,
                        "audit_logging_options",
                        Map.of("enabled", true, "included_keyspaces", "a,b")));
    }

    @Test
    void secrets_are_refused_in_every_field_and_never_repeated() {
        String yaml = with(
                        "cassandra_yaml: {}",
                        "cassandra_yaml: {client_encryption_options: {keystore_password: hunter2, keystore: k},"
                                + " extra: [{api_key: hunter2}]}")
                .replace("options: []", "options: [-Djavax.net.ssl.trustStorePassword=hunter2]");
        assertThat(lines(yaml)).hasSize(3).allSatisfy(l -> assertThat(l)
                .contains("secret, which a spec must not hold in clear text")
                .doesNotContain("hunter2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Xmx8G",
                "-Xms1G",
                "-XX:MaxHeapSize=8g",
                "-XX:+UseZGC",
                "-javaagent:/tmp/a.jar",
                "-agentlib:jdwp=transport=dt_socket",
                "-XX:OnOutOfMemoryError=reboot",
                "-XX:OnError=reboot",
                "-Dcom.sun.management.jmxremote.port=7199",
                "-Dcassandra.jmx.remote.port=7199",
                "-Dcassandra.auto_bootstrap=false",
                "-Dcassandra.replace_address=10.0.0.1",
                "-Dcassandra.consistent.rangemovement=false",
                "-Dcassandra.config=file:///etc/x",
                "@/tmp/options",
                "-Xbootclasspath/a:/tmp/a.jar",
                "-Dringmaster.socket=/tmp/s",
                "-Dringmaster.park_idle_workers=often",
                "rm",
                "'-Xss1m -Xmx9G'"
            })
    void dangerous_options_are_refused(String option) {
        String quoted = option.startsWith("'") ? option : "'" + option + "'";
        assertThat(lines(with("options: []", "options: [" + quoted + "]")))
                .singleElement()
                .asString()
                .startsWith("jvm.options: " + quoted + " is ");
    }

    @Test
    void harmless_options_are_accepted() {
        assertThat(valid(with(
                                "options: []",
                                "options: [-Xss512k, '-XX:MaxGCPauseMillis=100', -Dcassandra.ring_delay_ms=5000,"
                                        + " -Dringmaster.park_idle_workers=false]"))
                        .jvm()
                        .options())
                .hasSize(4);
    }

    @Test
    void text_that_would_exhaust_memory_or_stack_is_refused() {
        assertThat(lines("a: " + "x".repeat(Document.MAX_BYTES)))
                .containsExactly("the text is longer than 65536 bytes -> send one cluster's spec only");
        assertThat(lines("[".repeat(60_000))).singleElement().asString().contains("nested deeper than 32 levels");
        assertThat(lines("a: &a [x, x]\nb: *a\n"))
                .singleElement()
                .asString()
                .contains("aliases (*name) are not allowed");
        assertThat(lines(RIDES + "---\n" + RIDES)).singleElement().asString().contains("a second document starts");
        assertThat(lines(with("cassandra_yaml: {}", "cassandra_yaml: {a: !!java.net.URL [\"http://x\"]}")))
                .singleElement()
                .asString()
                .contains("is not allowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "# nothing", "a: [", "a: b: c", "\t- x", "a: \u0000", "null"})
    void text_that_is_not_a_spec_gets_a_problem_and_never_an_exception(String text) {
        assertThat(ClusterSpecs.parse(text).problems()).isNotEmpty();
    }

    @Test
    void broken_yaml_is_refused_with_line_and_column() {
        assertThat(lines("cluster: rides\nnode: {cpus: 1\njvm: {}\n"))
                .singleElement()
                .asString()
                .startsWith("not YAML: line ");
    }
}
