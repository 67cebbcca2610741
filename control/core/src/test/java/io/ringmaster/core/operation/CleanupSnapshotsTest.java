package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.Preset;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CleanupSnapshotsTest {
    private static Stream<String> snapshots(Preset preset, Map<String, String> params) {
        ClusterSpec base = Samples.spec("rides", 3, 2, 3, 2);
        ClusterSpec spec = new ClusterSpec(
                base.name(),
                base.cassandraVersion(),
                preset,
                base.datacenters(),
                base.resources(),
                base.jvm(),
                base.cassandraYaml(),
                base.placement());
        Planned planned =
                Operations.named("cleanup").orElseThrow().plan(Scene.live(spec).view(), Scene.RIDES, params);
        return ((Planned.Draft) planned)
                .phases().stream()
                        .flatMap(p -> p.steps().stream())
                        .filter(s -> s.type().equals("run-task"))
                        .map(s -> s.args().getOrDefault("task.snapshot", "none"));
    }

    @Test
    void a_cleanup_keeps_a_snapshot_in_production_unless_the_request_says_otherwise() {
        assertThat(snapshots(Preset.PRODUCTION, Map.of())).hasSize(3).containsOnly("true");
        assertThat(snapshots(Preset.PRODUCTION, Map.of("snapshot", "false"))).containsOnly("false");
        assertThat(snapshots(Preset.DEVELOPMENT, Map.of())).containsOnly("none");
        assertThat(snapshots(Preset.DEVELOPMENT, Map.of("snapshot", "true"))).containsOnly("true");
    }
}
