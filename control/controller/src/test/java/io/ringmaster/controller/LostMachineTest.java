package io.ringmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.policy.AutomaticReplace;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.spec.AutomaticReplacement;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Machines that are lost, under clusters that replace their nodes by themselves after a minute. */
class LostMachineTest {
    private static final NodeId NODE = NodeId.of("rides/dc1/node-0");
    private final FakeFleet fleet = new FakeFleet(2, 6);
    private final FakeDatacenter dc1 = fleet.dc(1);

    @BeforeEach
    void create() {
        declare(Requests.twoDatacenters().with(new AutomaticReplacement(1)));
    }

    private void declare(ClusterSpec spec) {
        Requests.apply(dc1, spec);
        fleet.step();
        fleet.step();
        fleet.untilSettled();
        fleet.step();
    }

    @Test
    void the_node_is_asked_to_be_replaced_once_and_the_audit_says_why() {
        lose();
        seconds(50);
        assertThat(asked()).isEmpty();
        seconds(60);
        assertThat(asked()).singleElement().satisfies(r -> {
            assertThat(r.operation()).isEqualTo("replace");
            assertThat(r.params()).isEqualTo(Map.of("node", "dc1/node-0"));
            assertThat(r.why()).contains("has been lost since", "for more than 1m");
        });
        assertThat(dc1.controller.audit()).anySatisfy(a -> {
            assertThat(a.who()).isEqualTo(AutomaticReplace.WHO);
            assertThat(a.what()).startsWith("replace rides {node=dc1/node-0} because: machine-");
        });
    }

    @Test
    void a_new_leader_counts_on_and_asks_no_second_time() {
        lose();
        seconds(40);
        dc1.restart();
        seconds(50);
        assertThat(asked()).hasSize(1);
        dc1.restart();
        seconds(200);
        assertThat(asked()).hasSize(1);
    }

    @Test
    void a_machine_that_comes_back_in_time_is_not_counted_against() {
        Machine machine = lose();
        seconds(50);
        dc1.machines.add(machine);
        node().executorRuns = true;
        dc1.tellPicture();
        seconds(100);
        assertThat(asked()).isEmpty();
        assertThat(dc1.controller.view().nodes().get(NODE).lostSince()).isNull();
    }

    @Test
    void nobody_is_replaced_while_another_node_is_down() {
        fleet.nodes().stream()
                .filter(n -> n.allocation.node().equals(NodeId.of("rides/dc1/node-1")))
                .forEach(n -> {
                    n.executorRuns = false;
                    n.daemonDies();
                });
        lose();
        seconds(200);
        assertThat(asked()).isEmpty();
    }

    @Test
    void nobody_asks_while_another_datacenter_is_silent() {
        lose();
        fleet.dc(2).reachable = false;
        seconds(200);
        assertThat(asked()).isEmpty();
        fleet.dc(2).reachable = true;
        seconds(60);
        assertThat(asked()).hasSize(1);
    }

    private Machine lose() {
        FakeNode node = node();
        Machine machine = dc1.machines.stream()
                .filter(m -> m.name().equals(node.allocation.machine()))
                .findFirst()
                .orElseThrow();
        dc1.machines.remove(machine);
        node.executorRuns = false;
        node.mode = OperatingMode.DOWN;
        dc1.tellPicture();
        return machine;
    }

    private FakeNode node() {
        return fleet.nodes().stream()
                .filter(n -> n.allocation.node().equals(NODE))
                .findFirst()
                .orElseThrow();
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            fleet.step();
        }
    }

    private List<Request> asked() {
        return dc1.controller.view().requests().values().stream()
                .map(RequestRecord::request)
                .filter(r -> r.who().equals(AutomaticReplace.WHO))
                .toList();
    }
}
