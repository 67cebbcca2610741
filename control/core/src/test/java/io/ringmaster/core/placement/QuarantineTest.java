package io.ringmaster.core.placement;

import static io.ringmaster.model.fleet.AllocationState.Status.RELEASED;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.ClusterSpecBuilder;
import io.ringmaster.model.spec.JvmSpec;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QuarantineTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final int SECONDS = 150;

    /** Node 1 has been on machine-4, which has room and is in the rack of its machine. */
    private static Scene moved(@Nullable Instant since) {
        Scene scene = Scene.live(SPEC).settled().with(Samples.machine(4, "r2")).replicas("trips", 3);
        Allocation former = new Allocation(
                new AllocationId("rides-dc1-node-1-2"),
                Scene.node(1),
                new MachineName("machine-4"),
                new NodePorts(7000, 7001, 9042, 9500),
                SPEC.resources());
        ClusterRecord cluster = Objects.requireNonNull(scene.view().clusters().get(Scene.RIDES));
        return scene.claimed(former, RELEASED)
                .after(List.of(new Change.Put(
                        cluster.withVolume(KeptVolume.of(former, KeptVolume.Reason.EVACUATED, since, "dc1-1")))));
    }

    private static NodePlacement place(Scene scene) {
        return Replacing.place(
                scene.view(),
                SPEC,
                Objects.requireNonNull(scene.view().nodes().get(Scene.node(1))),
                new MachineName("machine-2"));
    }

    @Test
    void a_former_place_is_free_again_when_no_node_ignores_it_any_more_although_its_volume_is_kept() {
        Scene scene = moved(Scene.NOW);
        NodePlacement waits = place(scene);
        assertThat(waits.onlyLater()).isTrue();
        assertThat(waits.chosen()).isEmpty();
        assertThat(waits.why())
                .isEqualTo("machine-4: node-1 was at 127.1.1.4:7000, and the other nodes ignore a new node there until "
                        + Scene.NOW.plusSeconds(SECONDS));
        assertThat(new Placements(List.of(waits)).problems()).isEmpty();
        assertThat(place(scene.later(SECONDS - 1)).chosen()).isEmpty();
        NodePlacement free = place(scene.later(1));
        assertThat(free.chosen().orElseThrow().machine()).isEqualTo(new MachineName("machine-4"));
        assertThat(free.onlyLater()).isFalse();
    }

    @Test
    void a_former_place_is_not_free_earlier_because_its_volume_is_destroyed() {
        Scene scene = moved(Scene.NOW);
        ClusterRecord cluster = Objects.requireNonNull(scene.view().clusters().get(Scene.RIDES));
        KeptVolume volume = cluster.volumes().get(0);
        scene.after(List.of(
                        new Change.Put(cluster.withVolume(volume.sent(Scene.NOW).destroyed(Scene.NOW)))))
                .claimedGone(Objects.requireNonNull(volume.allocation()));
        assertThat(place(scene).onlyLater()).isTrue();
        assertThat(place(scene.later(SECONDS)).chosen()).isPresent();
    }

    @Test
    void the_place_of_a_node_that_never_joined_is_ignored_for_as_long_as_gossip_keeps_a_failed_bootstrap() {
        Scene scene = moved(Scene.NOW);
        ClusterRecord cluster = Objects.requireNonNull(scene.view().clusters().get(Scene.RIDES));
        Allocation former = Objects.requireNonNull(cluster.volumes().get(0).allocation());
        scene.after(List.of(new Change.Put(
                cluster.withVolume(KeptVolume.of(former, KeptVolume.Reason.ABORTED, Scene.NOW, "dc1-1")))));
        assertThat(place(scene.later(389)).onlyLater()).isTrue();
        assertThat(place(scene.later(1)).chosen()).isPresent();
    }

    @Test
    void neither_a_clock_that_is_ahead_nor_restarts_prolong_the_wait_for_ever() {
        Scene scene = moved(Scene.NOW);
        for (int ahead : new int[] {3600, 3 * SECONDS - 1}) {
            scene.starts(2, Scene.NOW.plusSeconds(ahead));
            assertThat(until(scene)).isEqualTo(Scene.NOW.plusSeconds(SECONDS));
        }
        scene.later(3 * SECONDS - 1);
        assertThat(until(scene)).isEqualTo(Scene.NOW.plusSeconds(3 * SECONDS));
        assertThat(place(scene).onlyLater()).isTrue();
        assertThat(place(scene.later(1)).chosen()).isPresent();
    }

    private static @Nullable Instant until(Scene scene) {
        return Quarantine.of(scene.view(), Scene.RIDES).get(0).until();
    }

    @Test
    void a_former_place_is_not_free_while_its_node_is_still_being_replaced() {
        assertThat(place(moved(null).later(10 * SECONDS)).onlyLater()).isTrue();
    }

    @Test
    void a_new_node_beside_it_gets_other_ports_meanwhile() {
        Scene scene = moved(Scene.NOW);
        assertThat(storagePort(scene)).isNotEqualTo(7000);
        assertThat(storagePort(scene.later(SECONDS))).isEqualTo(7000);
    }

    private static int storagePort(Scene scene) {
        ClusterSpec more = Samples.spec("rides", 4, 2);
        return Placement.place(scene.view(), more, List.of(3))
                .nodes()
                .get(0)
                .chosen()
                .orElseThrow()
                .ports()
                .storage();
    }

    @Test
    void the_longest_ring_delay_that_a_node_runs_counts() {
        assertThat(Quarantine.of(moved(Scene.NOW).later(SECONDS).view(), Scene.RIDES))
                .isEmpty();
        assertThat(ends(moved(Scene.NOW).later(SECONDS).version(withRingDelay(60_000))))
                .containsExactly(Scene.NOW.plusSeconds(270));
        assertThat(ends(moved(Scene.NOW).version(withRingDelay(10_000))))
                .as("the nodes still run the version without it")
                .containsExactly(Scene.NOW.plusSeconds(150));
    }

    private static List<Instant> ends(Scene scene) {
        return Quarantine.of(scene.view(), Scene.RIDES).stream()
                .map(Quarantine.Endpoint::until)
                .toList();
    }

    private static ClusterSpec withRingDelay(int milliseconds) {
        return ClusterSpecBuilder.builder(SPEC)
                .jvm(new JvmSpec(SPEC.jvm().collector(), List.of("-Dcassandra.ring_delay_ms=" + milliseconds)))
                .build();
    }
}
