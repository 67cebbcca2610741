package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.NodeMemory;
import io.ringmaster.model.spec.Preset;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NodeMemoryTest {
    private static String spec(Preset preset, long memoryMiB) {
        return "cluster: eats\ncassandra: 5.0.9\npreset: " + preset.name().toLowerCase(java.util.Locale.ROOT)
                + "\ndatacenters: {dc1: {nodes: 1}}\nnode: {cpus: 1, memory: " + memoryMiB + "MiB, disk: 1GiB}\n";
    }

    @ParameterizedTest
    @EnumSource
    void the_default_heap_always_fits(Preset preset) {
        long least = NodeMemory.leastBytes(preset, NodeMemory.MIN_HEAP_BYTES) / Samples.MIB;
        LongStream.of(0, 1, 7, 100, 300, 500, 501, 3000, 60_000, 300_000).forEach(more -> {
            ParsedSpec parsed = ClusterSpecs.parse(spec(preset, least + more));
            assertThat(parsed.problems()).isEmpty();
            assertThat(((ParsedSpec.Valid) parsed).spec().resources().heapBytes())
                    .isBetween(NodeMemory.MIN_HEAP_BYTES, 31 * Samples.GIB);
        });
        assertThat(ClusterSpecs.parse(spec(preset, least - 1)).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.field()).isEqualTo("node.memory"));
    }

    /** What idle production nodes were measured to use at most (VmHWM), by their heap. */
    @ParameterizedTest
    @CsvSource({"448, 828", "432, 918", "384, 766"})
    void a_production_node_gets_at_least_what_an_idle_one_uses(long heapMiB, long daemonMiB) {
        long executorMiB = 67;
        assertThat(NodeMemory.leastBytes(Preset.PRODUCTION, heapMiB * Samples.MIB) / Samples.MIB)
                .isGreaterThanOrEqualTo(daemonMiB + executorMiB);
    }

    /** A cluster of an earlier release, whose rule asked for 256 MiB beside the heap. */
    private static ClusterSpec running(Preset preset, String resources) {
        String text = spec(preset, 4096).replace("memory: 4096MiB", resources);
        assertThat(ClusterSpecs.parse(text).problems())
                .as("by the rule of today")
                .isNotEmpty();
        return ((ParsedSpec.Valid) ClusterSpecs.parseStored(text)).spec();
    }

    private static List<String> again(ClusterSpec before, String from, String to) {
        String text = SpecText.write(before);
        assertThat(text).contains(from);
        return ClusterSpecs.parse(text.replace(from, to), before).problems().stream()
                .map(Problem::field)
                .toList();
    }

    @Test
    void the_memory_that_a_cluster_runs_with_is_taken_with_a_note() {
        ClusterSpec before = running(Preset.PRODUCTION, "memory: 704MiB, heap: 448MiB");
        assertThat(ClusterSpecs.parse(SpecText.write(before), before)).isEqualTo(new ParsedSpec.Valid(before));
        assertThat(again(before, "nodes: 1", "nodes: 2")).as("another change").isEmpty();
        assertThat(again(before, "448MiB", "450MiB")).containsExactly("node.heap");
        assertThat(again(before, "704MiB", "700MiB")).isNotEmpty();
        assertThat(again(before, "704MiB", "1GiB")).as("more memory").isEmpty();
        assertThat(NodeMemory.note(before)).hasValueSatisfying(note -> assertThat(note)
                .startsWith("node.memory stays 704 MiB, little for a heap of 448 MiB: raise it to"));
    }

    @Test
    void another_preset_is_another_rule() {
        ClusterSpec before = ((ParsedSpec.Valid) ClusterSpecs.parse(spec(Preset.DEVELOPMENT, 512))).spec();
        assertThat(again(before, "preset: development", "preset: production")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"450, 192", "704, 352"})
    void a_spec_without_a_heap_keeps_that_of_the_cluster(long memoryMiB, long heapMiB) {
        ClusterSpec before = running(Preset.PRODUCTION, "memory: " + memoryMiB + "MiB, heap: " + heapMiB + "MiB");
        assertThat(ClusterSpecs.parse(spec(Preset.PRODUCTION, memoryMiB), before))
                .isEqualTo(new ParsedSpec.Valid(before));
    }

    @Test
    void a_spec_without_a_heap_has_the_default_again_instead_of_a_smaller_one() {
        String text = spec(Preset.PRODUCTION, 4096);
        ParsedSpec small = ClusterSpecs.parse(text.replace("disk:", "heap: 128MiB, disk:"));
        assertThat(ClusterSpecs.parse(text, ((ParsedSpec.Valid) small).spec())).isEqualTo(ClusterSpecs.parse(text));
    }

    @Test
    void a_block_cache_beside_it_is_taken_too() {
        String text = spec(Preset.PRODUCTION, 1000).replace("disk:", "heap: 448MiB, disk:")
                + "engine: {rocksdb: {block_cache: 256MiB}}\n";
        assertThat(ClusterSpecs.parse(text).problems())
                .extracting(Problem::field)
                .contains("engine.rocksdb.block_cache");
        ClusterSpec before = ((ParsedSpec.Valid) ClusterSpecs.parseStored(text)).spec();
        assertThat(ClusterSpecs.parse(text, before).problems()).isEmpty();
    }

    @Test
    void a_heap_that_leaves_too_little_names_the_rule_of_its_preset() {
        String heap = spec(Preset.PRODUCTION, 704).replace("disk:", "heap: 448MiB, disk:");
        assertThat(ClusterSpecs.parse(heap).problems()).singleElement().satisfies(problem -> assertThat(problem.line())
                .isEqualTo("node.heap: a heap of 448 MiB needs memory of 1008 MiB or more (preset production:"
                        + " the heap, a quarter of it, and 448 MiB), node.memory is 704 MiB (line 5)"
                        + " -> lower node.heap to 204MiB or raise node.memory"));
    }
}
