package io.ringmaster.playground;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.spec.NodeMemory;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.playground.doctor.Demand;
import java.io.IOException;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExampleSpecTest {
    private static final long MIB = 1L << 20;

    @ParameterizedTest
    @EnumSource
    void every_heap_has_the_memory_that_the_server_asks_for(Preset preset) throws IOException {
        ExampleSpec example = ExampleSpec.of(
                """
                cluster: rides
                cassandra: 5.0.9
                datacenters:
                  dc1: {nodes: 3, seeds: 2}
                node: {cpus: 1, memory: 1GiB, heap: 256MiB, disk: 4GiB}
                """);
        LongStream.of(256, 257, 448, 512, 768, 1024, 1025, 1536, 2048, 3072, 4096)
                .forEach(mib -> {
                    Demand size = new Demand(1, 1, mib * MIB, 0, preset);
                    assertThat(example.scaled(size).nodeMemoryBytes())
                            .as("heap of %d MiB", mib)
                            .isGreaterThanOrEqualTo(NodeMemory.leastBytes(preset, mib * MIB));
                });
    }
}
