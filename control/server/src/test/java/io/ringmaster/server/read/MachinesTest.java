package io.ringmaster.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.NodeResources;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.pcollections.TreePMap;

class MachinesTest {
    private static final View UNSEEN = View.empty(Instant.EPOCH, 1, new DatacenterName("dc1"), List.of(), List.of());
    private static final Machine MACHINE_3 = new Machine(
            new MachineName("machine-3"),
            new RackName("r2"),
            "127.0.0.3",
            1000,
            1,
            1,
            new PortRange(7000, 9999),
            false);

    @Test
    void a_machine_that_the_pool_does_not_offer_is_listed_while_a_node_is_placed_there() {
        var allocation = allocation("machine-2", 1);
        var node = NodeRecord.placed(allocation.node(), allocation, new RackName("r2"), List.of(), 1);
        View seen = ViewBuilder.from(UNSEEN).withPoolSeen(true);

        View named = ViewBuilder.from(seen).withNodes(TreePMap.singleton(node.id(), node));
        assertThat(Machines.of(named)).singleElement().satisfies(m -> {
            assertThat(m.machine()).isEqualTo(Machine.missing(allocation.machine(), new RackName("r2")));
            assertThat(m.machine().reachable()).isFalse();
            assertThat(m.machine().offered()).isFalse();
            assertThat(m.allocations())
                    .containsExactly(
                            AllocationState.of(allocation, AllocationState.Status.UNREACHABLE, named.now(), 0));
        });
        var failed = AllocationState.failed(
                allocation, Instant.EPOCH, 3, Problem.of(ErrorCode.MACHINE_LOST, "it was killed", "revive it"));
        View reported = ViewBuilder.from(named).withAllocations(TreePMap.singleton(allocation.id(), failed));
        assertThat(Machines.of(reported)).singleElement().satisfies(m -> assertThat(m.allocations())
                .containsExactly(failed));
        assertThat(Machines.of(ViewBuilder.from(named).withPoolSeen(false))).isEmpty();
        View forgotten = ViewBuilder.from(seen).withAllocations(TreePMap.singleton(allocation.id(), failed));
        assertThat(Machines.of(forgotten)).isEmpty();
    }

    @Test
    void a_machine_that_is_gone_is_listed_until_the_replacement_of_its_node_has_joined() {
        var lost = allocation("machine-2", 1);
        var place = allocation("machine-3", 2);
        var replaced = NodeRecord.placed(lost.node(), lost, new RackName("r2"), List.of(), 1)
                .seenNormal()
                .replacedAt(place, "127.0.0.2:7000", Instant.EPOCH);
        View seen = ViewBuilder.from(ViewBuilder.from(UNSEEN).withPoolSeen(true))
                .withMachines(TreePMap.singleton(place.machine(), MACHINE_3));
        View joining = ViewBuilder.from(seen).withNodes(TreePMap.singleton(replaced.id(), replaced));
        assertThat(Machines.of(joining))
                .extracting(m -> m.machine().name())
                .containsExactly(lost.machine(), place.machine());
        View joined = ViewBuilder.from(seen).withNodes(TreePMap.singleton(replaced.id(), replaced.seenNormal()));
        assertThat(Machines.of(joined)).extracting(m -> m.machine().name()).containsExactly(place.machine());
    }

    private static Allocation allocation(String machine, int number) {
        return new Allocation(
                new AllocationId("rides-dc1-node-0-" + number),
                NodeId.of("rides/dc1/node-0"),
                new MachineName(machine),
                new NodePorts(7000, 7001, 9042, 9600),
                new NodeResources(1000, 1, 1, 1));
    }

    @Test
    void a_pool_that_cannot_be_asked_says_why() {
        View away = ViewBuilder.from(UNSEEN).withPoolProblem("no such namespace");
        assertThat(Machines.unanswered(away)).get().satisfies(u -> {
            assertThat(u.datacenter()).isEqualTo(new DatacenterName("dc1"));
            assertThat(u.reason()).isEqualTo("no such namespace");
        });
        assertThat(Machines.unanswered(UNSEEN)).get().satisfies(u -> assertThat(u.reason())
                .isEqualTo("its pool has not reported yet"));
        assertThat(Machines.unanswered(ViewBuilder.from(UNSEEN).withPoolSeen(true)))
                .isEmpty();
    }
}
