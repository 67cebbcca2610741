package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.apply;
import static io.ringmaster.controller.Requests.oneDatacenter;
import static io.ringmaster.controller.Requests.twoDatacenters;
import static io.ringmaster.controller.Requests.withNodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Scene;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two clusters of one name that were declared in two datacenters while these did not know each other. */
class NamesakesTest {
    private final FakeFleet fleet = new FakeFleet(2, 6);
    private final FakeDatacenter dc1 = fleet.dc(1);
    private final FakeDatacenter dc2 = fleet.dc(2);

    @BeforeEach
    void two_clusters_and_then_a_connection() {
        dc1.known.clear();
        dc2.known.clear();
        apply(dc1, oneDatacenter());
        apply(dc2, inDc2(3));
        fleet.until(
                "both serve",
                60,
                () -> fleet.nodes().stream()
                                .filter(n -> n.mode == OperatingMode.NORMAL)
                                .count()
                        == 6);
        fleet.untilSettled();
        dc1.known.add(dc2.name);
        dc2.known.add(dc1.name);
        for (int i = 0; i < 5; i++) {
            fleet.step();
        }
    }

    private static ClusterSpec inDc2(int nodes) {
        ClusterSpec both = twoDatacenters();
        return withNodes(both.withDatacenters(List.of(both.datacenters().get(1))), nodes);
    }

    @Test
    void neither_gets_nodes_of_the_other_as_seeds() {
        apply(dc2, inDc2(4));
        fleet.until("a newcomer", 60, () -> dc2.nodes.size() == 4);
        assertThat(Seeds.answer(dc2.controller.view(), NodeId.of("rides/dc2/node-3")))
                .hasValueSatisfying(
                        a -> assertThat(a.seeds()).isNotEmpty().allMatch(endpoint -> endpoint.startsWith("127.1.2.")));
        fleet.untilSettled();
        assertThat(dc1.nodes).hasSize(3);
    }

    @Test
    void each_datacenter_shows_the_other_cluster_as_a_finding() {
        for (FakeDatacenter here : List.of(dc1, dc2)) {
            assertThat(here.controller.clusterStatus(Scene.RIDES)).hasValueSatisfying(s -> assertThat(s.findings())
                    .anySatisfy(f -> assertThat(f.problem().code()).isEqualTo(ErrorCode.CLUSTER_EXISTS)));
        }
    }

    @Test
    void a_spec_for_both_datacenters_does_not_make_the_nodes_of_the_other_cluster_its_own() {
        apply(dc1, twoDatacenters());
        for (int i = 0; i < 60; i++) {
            fleet.step();
        }
        assertThat(dc2.controller.view().targetSpec(Scene.RIDES).orElseThrow().spec())
                .isEqualTo(inDc2(3));
        assertThat(fleet.nodes()).hasSize(6).allMatch(n -> n.starts == 1);
    }
}
