package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
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
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DestroyVolumeTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final AllocationId OLD = new AllocationId("rides-dc1-node-9");

    /** Node 9 left this volume behind. */
    private final Scene scene = Scene.live(SPEC).stray(OLD.value(), RELEASED);

    private final Allocation place =
            Objects.requireNonNull(scene.view().allocations().get(OLD)).allocation();

    private ClusterRecord cluster() {
        return Objects.requireNonNull(scene.view().clusters().get(Scene.RIDES));
    }

    private Verdict next() {
        return new DestroyVolume(Scene.RIDES, OLD).next(scene.view(), ONE_AT_A_TIME, Map.of());
    }

    private void keep() {
        scene.after(List.of(new Change.Put(
                cluster().withVolume(KeptVolume.of(place, KeptVolume.Reason.LEFT, Scene.NOW, "dc1-1")))));
    }

    @Test
    void the_reason_of_the_pool_is_the_reason_of_the_step_until_the_pool_says_that_it_is_gone() {
        keep();
        Verdict.Do first = (Verdict.Do) next();
        assertThat(Verdicts.line(first))
                .isEqualTo("do {rides v1 created}[Release rides-dc1-node-9 destroy]: destroys the volume");
        scene.after(first.changes())
                .refusesAllocation(
                        place, Problem.of(ErrorCode.MACHINE_LOST, "the disk is read-only", "mount it again"));
        assertThat(Verdicts.line(next()))
                .isEqualTo("do {}[Release rides-dc1-node-9 destroy]: destroys the volume: the disk is read-only");
        scene.claimedVanished(place);
        assertThat(next()).isInstanceOf(Verdict.Do.class);
        scene.claimedGone(place);
        assertThat(Verdicts.line(next())).endsWith(": destroyed");
    }

    @Test
    void what_is_not_the_recorded_allocation_is_left_alone_and_the_step_says_so() {
        keep();
        scene.claimed(
                new Allocation(OLD, place.node(), new MachineName("machine-2"), place.ports(), place.resources()),
                RUNNING);
        Verdict.Done done = (Verdict.Done) next();
        assertThat(done.summary()).startsWith("not destroyed: the allocation of this name on machine-2");
        scene.after(done.changes());
        assertThat(cluster().volume(OLD).orElseThrow().ordered()).isFalse();
        assertThat(cluster().deleted(true).mustDestroyVolumes("dc1-1")).isFalse();
    }
}
