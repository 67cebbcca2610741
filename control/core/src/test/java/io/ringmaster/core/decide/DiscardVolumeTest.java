package io.ringmaster.core.decide;

import static io.ringmaster.model.fleet.AllocationState.Status.RELEASED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DiscardVolumeTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final AllocationId OLD = new AllocationId("rides-dc1-node-9");

    private static Scene kept() {
        Scene scene = Scene.live(SPEC).stray(OLD.value(), RELEASED);
        Allocation place =
                Objects.requireNonNull(scene.view().allocations().get(OLD)).allocation();
        ClusterRecord cluster = Objects.requireNonNull(scene.view().clusters().get(Scene.RIDES));
        return scene.after(List.of(
                new Change.Put(cluster.withVolume(KeptVolume.of(place, KeptVolume.Reason.LEFT, Scene.NOW, "dc1-1")))));
    }

    private static Answer<Decision<KeptVolume>> discard(Scene scene, AllocationId id) {
        return new DiscardVolume(scene.view(), id).answer();
    }

    private static Problem refused(Scene scene, AllocationId id) {
        return ((Answer.Refused<?>) discard(scene, id)).problems().get(0);
    }

    private static Decision<KeptVolume> accepted(Scene scene) {
        return ((Answer.Accepted<Decision<KeptVolume>>) discard(scene, OLD)).value();
    }

    @Test
    void a_kept_volume_is_ordered_destroyed_and_a_second_order_changes_nothing() {
        Scene scene = kept();
        Decision<KeptVolume> first = accepted(scene);
        assertThat(first.result().discardedAt()).isEqualTo(Scene.NOW);
        assertThat(first.changes()).hasSize(1);
        Decision<KeptVolume> again = accepted(scene.after(first.changes()).later(60));
        assertThat(again.changes()).isEmpty();
        assertThat(again.result()).isEqualTo(first.result());
    }

    @Test
    void a_volume_of_a_deleted_cluster_can_be_discarded() {
        Scene scene = kept();
        ClusterRecord gone = Objects.requireNonNull(scene.view().clusters().get(Scene.RIDES))
                .deleted(false)
                .gone(Scene.NOW, "dc1-1");
        assertThat(accepted(scene.after(List.of(new Change.Put(gone)))).result().ordered())
                .isTrue();
    }

    @Test
    void a_volume_that_a_node_has_or_had_until_its_replacement_joins_is_refused() {
        Scene scene = kept();
        Problem used = refused(scene, new AllocationId("rides-dc1-node-1"));
        assertThat(used.code()).isEqualTo(ErrorCode.OPERATION_UNSAFE);
        assertThat(used.message()).contains("is the volume of rides/dc1/node-1");
        Allocation former =
                Objects.requireNonNull(scene.view().nodes().get(Scene.node(1))).allocation();
        scene.record(
                1,
                r -> r.replacedAt(former.withId(new AllocationId("rides-dc1-node-1-2")), "127.1.1.2:7000", Scene.NOW));
        assertThat(refused(scene, former.id()).message()).contains("whose replacement has not joined yet");
        ClusterRecord cluster = Objects.requireNonNull(scene.view().clusters().get(Scene.RIDES));
        scene.without(Samples.machine(2, "r2"))
                .record(1, r -> r.seenNormal().repaired(Scene.NOW))
                .after(List.of(new Change.Put(
                        cluster.withVolume(KeptVolume.of(former, KeptVolume.Reason.REPLACED, Scene.NOW, "dc1-1")))));
        assertThat(discard(scene, former.id())).isInstanceOf(Answer.Accepted.class);
    }

    @Test
    void what_runs_under_the_name_or_is_not_what_was_recorded_is_refused() {
        assertThat(refused(kept().stray(OLD.value(), RUNNING), OLD).message())
                .isEqualTo("volume rides-dc1-node-9 is not destroyed: it is RUNNING on machine-1, not released");
        Allocation other =
                Objects.requireNonNull(kept().view().allocations().get(OLD)).allocation();
        Scene moved = kept().claimed(
                        new Allocation(
                                OLD, other.node(), new MachineName("machine-2"), other.ports(), other.resources()),
                        RELEASED);
        assertThat(refused(moved, OLD).message()).contains("machine-2 is not the one that was recorded");
    }

    @Test
    void the_volume_of_a_replaced_node_is_refused_until_its_replacement_has_repaired_its_ranges() {
        Scene scene = Scene.live(SPEC);
        Allocation former =
                Objects.requireNonNull(scene.view().nodes().get(Scene.node(1))).allocation();
        ClusterRecord cluster = Objects.requireNonNull(scene.view().clusters().get(Scene.RIDES));
        scene.claimed(former, RELEASED)
                .record(1, r -> r.withAllocation(former.withId(new AllocationId("rides-dc1-node-1-2")))
                        .owing(Scene.NOW))
                .after(List.of(new Change.Put(
                        cluster.withVolume(KeptVolume.of(former, KeptVolume.Reason.REPLACED, Scene.NOW, "dc1-1")))));
        assertThat(refused(scene, former.id()).message())
                .isEqualTo("volume rides-dc1-node-1 may be the last copy of rows of rides/dc1/node-1,"
                        + " which owes a repair");
        scene.record(1, r -> r.repaired(Scene.NOW));
        assertThat(discard(scene, former.id())).isInstanceOf(Answer.Accepted.class);
    }

    @Test
    void a_volume_that_does_not_exist_is_named_and_nothing_is_decided_before_the_pool_has_reported() {
        assertThat(refused(kept(), new AllocationId("nobody")).code()).isEqualTo(ErrorCode.VOLUME_UNKNOWN);
        assertThat(refused(kept().poolUnseen(), OLD).code()).isEqualTo(ErrorCode.POOL_UNAVAILABLE);
    }
}
