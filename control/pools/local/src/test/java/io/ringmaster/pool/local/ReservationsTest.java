package io.ringmaster.pool.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.spec.NodeResources;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReservationsTest {
    private final Reservations reservations = new Reservations(List.of(LocalPoolTest.machine(1)), false);

    private static Allocation allocation(int index, long diskGib) {
        return LocalPoolTest.allocationOn(LocalPoolTest.machine(1), index)
                .withResources(new NodeResources(500, 1L << 29, 1L << 28, diskGib << 30));
    }

    @Test
    void a_growing_volume_counts_the_kept_ones_and_another_does_not() {
        assertThat(reservations.tryReserve(allocation(0, 5))).isEmpty();
        reservations.keepVolume(allocation(1, 38));
        assertThat(reservations.tryReserve(allocation(0, 5))).isEmpty();
        assertThat(reservations.tryReserve(allocation(0, 4))).isEmpty();
        Optional<Problem> refusal = reservations.tryReserve(allocation(0, 5));
        assertThat(refusal).hasValueSatisfying(p -> assertThat(p.message()).contains("not enough disk"));
    }

    private static String nextStep(Optional<Problem> refusal) {
        return String.valueOf(refusal.orElseThrow().nextStep());
    }

    @Test
    void each_refusal_names_the_next_step() {
        assertThat(reservations.tryReserve(allocation(0, 5))).isEmpty();
        assertThat(nextStep(reservations.tryReserve(allocation(1, 50))))
                .contains("ringmaster machine list", "machine-1", "raise the machine's disk in pool.local.machines");
        Allocation first = allocation(0, 5);
        Allocation samePorts = new Allocation(
                new AllocationId("b"), allocation(1, 5).node(), first.machine(), first.ports(), first.resources());
        assertThat(nextStep(reservations.tryReserve(samePorts)))
                .contains("ringmaster machine list", "move or delete one of the two nodes");
        Allocation otherPorts = new Allocation(
                new AllocationId("c"), first.node(), first.machine(), new NodePorts(1, 2, 3, 4), first.resources());
        assertThat(nextStep(reservations.tryReserve(otherPorts))).contains("the ports of machine-1");
        Allocation elsewhere = LocalPoolTest.allocationOn(LocalPoolTest.machine(2), 2);
        assertThat(nextStep(reservations.tryReserve(elsewhere))).contains("add it to pool.local.machines");
    }

    @Test
    void what_was_held_before_is_put_back() {
        reservations.keepVolume(allocation(0, 30));
        Reservations.Held before = reservations.held(allocation(0, 30).id());
        assertThat(reservations.tryReserve(allocation(0, 1))).isEmpty();
        reservations.putBack(allocation(0, 30).id(), before);
        assertThat(reservations.tryReserve(allocation(1, 20))).isPresent();
        assertThat(reservations.tryReserve(allocation(1, 10))).isEmpty();
    }
}
