package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.apply;
import static io.ringmaster.controller.Requests.oneDatacenter;
import static io.ringmaster.controller.Requests.twoDatacenters;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Scene;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two clusters of one name whose nodes run, each in a ring of its own, and that are not created yet. */
class NamesakesBeforeCreationTest {
    private final FakeFleet fleet = new FakeFleet(2, 6);
    private final FakeDatacenter dc1 = fleet.dc(1);
    private final FakeDatacenter dc2 = fleet.dc(2);

    @Test
    void a_datacenter_with_nodes_of_its_own_does_not_take_the_other_cluster_over() {
        ClusterSpec both = twoDatacenters();
        dc1.known.clear();
        dc2.known.clear();
        apply(dc1, oneDatacenter());
        apply(dc2, both.withDatacenters(List.of(both.datacenters().get(1))));
        fleet.until("nodes run in both", 60, () -> fleet.nodes().size() == 6);
        assertThat(dc1.controller.view().clusters().get(Scene.RIDES).created()).isFalse();

        dc1.reachable = false;
        dc1.known.add(dc2.name);
        dc2.known.add(dc1.name);
        apply(
                dc2,
                both.withDatacenters(
                        List.of(both.datacenters().get(1), both.datacenters().get(0))));
        dc1.reachable = true;
        for (int i = 0; i < 30; i++) {
            fleet.step();
        }
        assertThat(dc1.controller.view().targetSpec(Scene.RIDES).orElseThrow().spec())
                .isEqualTo(oneDatacenter());
    }
}
