package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Restores;
import io.ringmaster.core.Samples;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.ClusterSpecBuilder;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.Keep;
import io.ringmaster.model.spec.NodeMemory;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.model.spec.RestoreSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SpecTextProperties {
    private static ClusterSpec chance(long seed) {
        Random random = new Random(seed);
        long heap = (96 + random.nextInt(4000)) * Samples.MIB + random.nextInt(1024) * 1024L;
        return new ClusterSpec(
                        new ClusterName("c" + random.nextInt(1000)),
                        "5.0." + random.nextInt(20),
                        random.nextBoolean() ? Preset.DEVELOPMENT : Preset.PRODUCTION,
                        IntStream.range(0, 1 + random.nextInt(4))
                                .mapToObj(i -> {
                                    int nodes = 1 + random.nextInt(20);
                                    return new DatacenterSpec(
                                            new DatacenterName("dc" + i),
                                            nodes,
                                            1 + random.nextInt(nodes),
                                            random.nextBoolean()
                                                    ? List.of()
                                                    : List.of(new RackName("r1"), new RackName("007")));
                                })
                                .toList(),
                        new NodeResources(
                                100 + random.nextInt(9000),
                                NodeMemory.leastBytes(Preset.PRODUCTION, heap) / 1024 * 1024 + Samples.MIB,
                                heap,
                                Samples.GIB * (1 + random.nextInt(100))),
                        new JvmSpec(
                                random.nextBoolean() ? JvmSpec.Collector.G1 : JvmSpec.Collector.SHENANDOAH,
                                random.nextBoolean() ? List.of() : List.of("-Xss512k", "-Da=b:c#d")),
                        Map.of(
                                "concurrent_reads", random.nextInt(),
                                "text", random.nextBoolean() ? "true" : "yes: no",
                                "flag", random.nextBoolean(),
                                "deep", Map.of("list", List.of(1, "1", 1.5))),
                        new PlacementSpec(
                                1 + random.nextInt(5),
                                random.nextBoolean() ? PlacementSpec.Racks.EVEN : PlacementSpec.Racks.BEST_EFFORT))
                .with(random.nextBoolean() ? Restores.SOURCE : (RestoreSource) null)
                .with(random.nextBoolean() ? schedule(random) : null);
    }

    private static BackupSchedule schedule(Random random) {
        return new BackupSchedule(
                "main",
                60 + random.nextInt(100_000),
                random.nextBoolean() ? new Keep(1 + random.nextInt(100), random.nextInt(100)) : null,
                random.nextBoolean() ? 0 : 1024L * random.nextInt(1 << 20));
    }

    @Property(tries = 300)
    void what_is_written_reads_back_the_same(@ForAll long seed) {
        ClusterSpec spec = chance(seed);
        String text = SpecText.write(spec);
        assertThat(ClusterSpecs.parseStored(text)).as(text).isEqualTo(new ParsedSpec.Valid(spec));
    }

    @Property(tries = 2000)
    void no_text_makes_the_parser_throw(@ForAll String text, @ForAll long seed) {
        String spec = SpecText.write(chance(seed));
        int at = Math.floorMod(seed, spec.length());
        assertThat(ClusterSpecs.parse(text)).isNotNull();
        assertThat(ClusterSpecs.parse(spec.substring(0, at) + text + spec.substring(at)))
                .isNotNull();
    }

    @Property(tries = 200)
    void a_spec_does_not_differ_from_itself_and_does_from_any_other(@ForAll long seed) {
        ClusterSpec spec = chance(seed);
        assertThat(SpecDiff.between(spec, spec).isEmpty()).isTrue();
        ClusterSpec other = chance(seed + 1);
        ClusterSpec renamed =
                ClusterSpecBuilder.builder(other).name(spec.name()).build();
        assertThat(SpecDiff.between(spec, renamed).isEmpty()).isEqualTo(spec.equals(renamed));
    }
}
