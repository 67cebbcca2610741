package io.ringmaster.core.recovery;

import static io.ringmaster.model.fleet.AllocationState.Status.RELEASED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.KeptVolume.Reason;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class VolumeRecoveryTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);

    private static Scene seen(Scene scene) {
        return scene.after(VolumeRecovery.of(scene.view(), Scene.RIDES).changes());
    }

    private static ClusterRecord cluster(Scene scene) {
        return Objects.requireNonNull(scene.view().clusters().get(Scene.RIDES));
    }

    private static Scene with(Scene scene, UnaryOperator<ClusterRecord> change) {
        return scene.after(List.of(new Change.Put(change.apply(cluster(scene)))));
    }

    private static List<Command> commands(Scene scene) {
        return VolumeRecovery.of(scene.view(), Scene.RIDES).commands();
    }

    private static Allocation place(Scene scene, int index) {
        return Objects.requireNonNull(scene.view().nodes().get(Scene.node(index)))
                .allocation();
    }

    /** Node 1 joined at another place; its former one is released. */
    private static Scene replaced() {
        Scene scene = Scene.live(SPEC);
        Allocation former = place(scene, 1);
        Allocation place = former.withId(new AllocationId("rides-dc1-node-1-2"));
        return scene.record(1, r -> r.replacedAt(place, "127.1.1.2:7000", Scene.NOW))
                .claimed(former, RELEASED);
    }

    private static final AllocationId FORMER = new AllocationId("rides-dc1-node-1");

    @Test
    void the_volume_of_a_replaced_node_is_recorded_and_its_time_starts_when_the_replacement_has_joined() {
        Scene scene = seen(replaced());
        KeptVolume during = cluster(scene).volume(FORMER).orElseThrow();
        assertThat(during.reason()).isEqualTo(Reason.REPLACED);
        assertThat(during.since()).isNull();
        seen(scene.record(1, r -> r.seenNormal()).later(10));
        assertThat(cluster(scene).volume(FORMER).orElseThrow().since()).isEqualTo(Scene.NOW.plusSeconds(10));
    }

    @Test
    void the_time_of_a_replacement_that_was_given_up_starts_when_it_is_released_although_the_next_has_not_joined() {
        Scene scene = Scene.live(SPEC);
        Allocation first = place(scene, 1);
        Allocation second = first.withId(new AllocationId("rides-dc1-node-1-2"));
        Allocation third = first.withId(new AllocationId("rides-dc1-node-1-3"));
        scene.record(1, r -> r.replacedAt(second, "127.1.1.2:7000", Scene.NOW)
                .replacedAt(third, "127.1.1.2:7000", Scene.NOW));
        with(scene, c -> c.withVolume(KeptVolume.of(second, Reason.ABORTED, null, "dc1-1")));
        scene.claimed(first, RELEASED).claimed(second, RUNNING);
        assertThat(cluster(seen(scene)).volume(second.id()).orElseThrow().since())
                .isNull();
        scene.claimed(second, RELEASED).later(5);
        assertThat(cluster(seen(scene)).volume(second.id()).orElseThrow().since())
                .isEqualTo(Scene.NOW.plusSeconds(5));
        assertThat(cluster(scene).volume(first.id()).orElseThrow().since()).isNull();
    }

    @Test
    void what_no_record_names_is_of_nobody_and_a_delete_with_data_does_not_destroy_it() {
        AllocationId id = new AllocationId("rides-dc1-node-9");
        Scene scene = seen(Scene.live(SPEC).stray(id.value(), RELEASED));
        KeptVolume unknown = cluster(scene).volume(id).orElseThrow();
        assertThat(unknown.reason()).isEqualTo(Reason.UNKNOWN);
        assertThat(unknown.own("dc1-1")).isFalse();
        ClusterRecord gone = cluster(scene).deleted(true).gone(Scene.NOW, "dc1-1");
        assertThat(gone.volume(id).orElseThrow()).isEqualTo(unknown);
    }

    @Test
    void a_volume_that_is_ordered_destroyed_is_destroyed_when_its_machine_is_back_and_then_forgotten() {
        Scene scene = Scene.live(SPEC);
        Allocation place = place(scene, 1);
        scene.after(List.of(new Change.Remove(
                Objects.requireNonNull(scene.view().nodes().get(Scene.node(1))).key())));
        with(
                scene,
                c -> c.withVolume(
                        KeptVolume.of(place, Reason.LEFT, Scene.NOW, "dc1-1").discarded(Scene.NOW)));
        scene.claimed(place, RELEASED).without(Samples.machine(2, "r2"));
        assertThat(commands(scene)).isEmpty();
        assertThat(cluster(seen(scene)).volumes()).hasSize(1);
        scene.with(Samples.machine(2, "r2"));
        assertThat(commands(scene)).containsExactly(new Command.Release(place.id(), true));
        assertThat(cluster(seen(scene)).volumes()).hasSize(1);
        scene.claimedVanished(place);
        assertThat(commands(scene)).containsExactly(new Command.Release(place.id(), true));
        assertThat(cluster(seen(scene)).volumes()).hasSize(1);
        scene.claimedGone(place);
        assertThat(cluster(seen(scene)).volume(place.id()).orElseThrow().destroyed())
                .isTrue();
        assertThat(commands(scene)).isEmpty();
        assertThat(cluster(seen(scene.later(149))).volumes()).hasSize(1);
        assertThat(cluster(seen(scene.later(1))).volumes()).isEmpty();
    }

    @Test
    void an_order_of_a_store_that_was_set_back_touches_neither_what_runs_nor_what_is_elsewhere_under_the_name() {
        Scene scene = Scene.live(SPEC);
        Allocation place = place(scene, 1);
        scene.after(List.of(new Change.Remove(
                Objects.requireNonNull(scene.view().nodes().get(Scene.node(1))).key())));
        KeptVolume ordered =
                KeptVolume.of(place, Reason.LEFT, Scene.NOW, "dc1-1").discarded(Scene.NOW);
        with(scene, c -> c.withVolume(ordered)).claimed(place, RUNNING);
        assertThat(commands(scene)).isEmpty();
        KeptVolume dropped = cluster(seen(scene)).volume(place.id()).orElseThrow();
        assertThat(dropped.ordered()).isFalse();
        assertThat(dropped.dropped()).isEqualTo("it is RUNNING on machine-2, not released");
        Allocation other = new Allocation(
                place.id(), place.node(), new MachineName("machine-3"), place.ports(), place.resources());
        with(scene, c -> c.withVolume(ordered)).claimed(other, RELEASED);
        assertThat(commands(scene)).isEmpty();
        assertThat(cluster(seen(scene)).volume(place.id()).orElseThrow().dropped())
                .contains("machine-3 is not the one that was recorded");
    }

    @Test
    void a_volume_that_no_report_has_is_still_recorded_whether_it_is_ordered_or_not() {
        Scene scene = seen(replaced().record(1, r -> r.withPreviousAllocations(List.of())));
        Allocation place = cluster(scene).volume(FORMER).orElseThrow().allocation();
        scene.claimedGone(Objects.requireNonNull(place));
        assertThat(cluster(seen(scene)).volumes()).hasSize(1);
        with(scene, c -> c.withVolume(c.volume(FORMER).orElseThrow().discarded(Scene.NOW)));
        assertThat(commands(scene)).isEmpty();
        assertThat(cluster(seen(scene)).volume(FORMER).orElseThrow().ordered()).isTrue();
    }

    @Test
    void a_volume_that_no_user_discarded_is_never_destroyed() {
        Scene scene = seen(replaced().record(1, r -> r.withPreviousAllocations(List.of())));
        assertThat(commands(scene)).isEmpty();
        assertThat(cluster(scene).volumes()).hasSize(1);
    }

    @Test
    void what_appears_after_a_delete_that_destroys_data_is_kept() {
        Scene scene = with(Scene.declared(SPEC), c -> c.deleted(true));
        seen(scene.stray("rides-dc1-node-9", RELEASED));
        assertThat(commands(scene)).isEmpty();
        assertThat(cluster(scene).volumes()).extracting(KeptVolume::reason).containsExactly(Reason.UNKNOWN);
    }

    @Test
    void nothing_is_concluded_before_the_pool_has_reported() {
        Scene scene = replaced().poolUnseen();
        assertThat(VolumeRecovery.of(scene.view(), Scene.RIDES).changes()).isEmpty();
    }

    @Test
    void a_delete_owns_only_the_volumes_of_the_present_incarnation_whatever_became_of_the_earlier_cluster() {
        Scene scene = seen(replaced());
        KeptVolume kept = cluster(scene).volume(FORMER).orElseThrow();
        assertThat(kept.own("dc1-1")).isTrue();
        assertThat(kept.own("dc2-7")).isFalse();
        assertThat(kept.own(null)).isFalse();
        KeptVolume older = KeptVolume.of(place(scene, 2), Reason.LEFT, Scene.NOW, null);
        assertThat(older.own(null)).isFalse();
        assertThat(cluster(scene).receivedAfter(3).volume(FORMER).orElseThrow().reason())
                .isEqualTo(Reason.DELETED);
        ClusterRecord next = new ClusterRecord(Scene.RIDES, 2, false, false, false).withVolumesOf(cluster(scene));
        assertThat(next.volume(FORMER).orElseThrow().own("dc1-1")).isFalse();
    }

    @Test
    void a_forgotten_cluster_keeps_the_records_of_its_volumes_and_the_next_one_does_not_own_them() {
        Scene scene = seen(seen(replaced()).record(1, r -> r.withPreviousAllocations(List.of())));
        ClusterRecord gone = cluster(scene).deleted(false).gone(Scene.NOW, "dc1-1");
        assertThat(gone.volume(FORMER).orElseThrow().own("dc1-1")).isFalse();
        assertThat(gone.volume(FORMER).orElseThrow().ordered()).isFalse();
        ClusterRecord next = new ClusterRecord(Scene.RIDES, 2, false, false, false).withVolumesOf(gone);
        assertThat(next.volume(FORMER)).isPresent();
        assertThat(next.deleted(true).mustDestroyVolumes("dc1-1")).isFalse();
        ClusterRecord destroyed = cluster(scene).deleted(true).gone(Scene.NOW, "dc1-1");
        assertThat(destroyed.volume(FORMER).orElseThrow().ordered()).isTrue();
        assertThat(destroyed.mustDestroyVolumes("dc1-1")).isFalse();
    }
}
