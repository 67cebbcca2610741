package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineFieldTest {
    private static ParsedSpec parse(String engine) {
        return ClusterSpecs.parse(ClusterSpecsTest.RIDES + "engine: " + engine + "\n");
    }

    private static Map<String, Object> parameters(ParsedSpec parsed) {
        assertThat(parsed.problems()).isEmpty();
        return ((ParsedSpec.Valid) parsed).spec().cassandraYaml();
    }

    @Test
    void an_engine_becomes_the_memtable_configuration_that_every_node_gets() {
        assertThat(parameters(
                        parse("{rocksdb: {block_cache: 256MiB, durability: wal, compaction_throughput: 32MiB/s}}")))
                .isEqualTo(Map.of(
                        "memtable",
                        Map.of(
                                "configurations",
                                Map.of(
                                        "rocksdb",
                                        Map.of(
                                                "class_name",
                                                "io.ringmaster.engine.RocksDB",
                                                "parameters",
                                                Map.of(
                                                        "block_cache", "256MiB",
                                                        "write_buffers", "128MiB",
                                                        "compaction_throughput", "32MiB/s",
                                                        "durability", "wal"))))));
    }

    @Test
    void its_cache_is_an_eighth_of_the_nodes_memory_by_default() {
        assertThat(parameters(parse("{rocksdb: {}}")).toString()).contains("block_cache=128MiB", "write_buffers=64MiB");
        assertThat(parameters(parse("{}"))).isEmpty();
    }

    @Test
    void a_spec_with_an_engine_is_written_as_text_that_means_the_same() {
        ClusterSpec spec = ((ParsedSpec.Valid) parse("{rocksdb: {}}")).spec();
        assertThat(ClusterSpecs.parse(SpecText.write(spec))).isEqualTo(new ParsedSpec.Valid(spec));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{rocksdb: {block_cache: 900MiB}} | engine.rocksdb.block_cache | needs memory of",
                "{rocksdb: {block_cache: 1MiB}} | engine.rocksdb.block_cache | too small",
                "{rocksdb: {write_buffers: 200MiB}} | engine.rocksdb.write_buffers | is more than",
                "{rocksdb: {durability: none}} | engine.rocksdb.durability | allowed: commit_log or wal",
                "{rocksdb: {compaction_throughput: fast}} | engine.rocksdb.compaction_throughput | allowed: a size per second",
                "{rocksdb: {blok_cache: 64MiB}} | engine.rocksdb.blok_cache | block_cache",
                "{leveldb: {}} | engine.leveldb | rocksdb",
                "fast | engine | allowed: a mapping"
            })
    void an_invalid_value_is_refused_with_its_field_and_the_allowed_values(
            String engine, String field, String message) {
        assertThat(parse(engine).problems()).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo(field);
            assertThat(problem.line()).contains(message);
        });
    }

    @Test
    void it_conflicts_with_memtable_configurations_in_cassandra_yaml() {
        String yaml =
                ClusterSpecsTest.RIDES.replace("cassandra_yaml: {}", "cassandra_yaml: {memtable: {configurations: {}}}")
                        + "engine: {rocksdb: {}}\n";
        assertThat(ClusterSpecs.parse(yaml).problems())
                .extracting(Problem::field)
                .containsExactly("cassandra_yaml.memtable");
    }
}
