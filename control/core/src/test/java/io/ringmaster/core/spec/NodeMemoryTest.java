package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.model.spec.Preset;
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

    /** What idle production nodes were measured to use, daemon (VmHWM) and executor, by their heap. */
    @ParameterizedTest
    @CsvSource({"448, 925", "432, 918", "384, 819"})
    void a_production_node_gets_at_least_what_an_idle_one_uses(long heapMiB, long usedMiB) {
        assertThat(NodeMemory.leastBytes(Preset.PRODUCTION, heapMiB * Samples.MIB) / Samples.MIB)
                .isGreaterThanOrEqualTo(usedMiB);
    }

    @Test
    void a_heap_that_leaves_too_little_names_the_rule_of_its_preset() {
        String heap = spec(Preset.PRODUCTION, 704).replace("disk:", "heap: 448MiB, disk:");
        assertThat(ClusterSpecs.parse(heap).problems()).singleElement().satisfies(problem -> assertThat(problem.line())
                .isEqualTo("node.heap: a heap of 448 MiB needs memory of 944 MiB or more (preset production:"
                        + " the heap, a quarter of it, and 384 MiB), node.memory is 704 MiB (line 5)"
                        + " -> lower node.heap to 256MiB or raise node.memory"));
    }
}
