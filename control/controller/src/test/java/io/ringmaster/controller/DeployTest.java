package io.ringmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import org.junit.jupiter.api.Test;

class DeployTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private final FakeFleet fleet = new FakeFleet(2);

    private static ClusterSpec spec() {
        return Samples.spec("rides", 3, 2, 3, 2);
    }

    private Applied apply(int dc, ClusterSpec spec) {
        Answer<Applied> answer = fleet.dc(dc).controller.applySpec("yaml", spec, null, "alice", false);
        assertThat(answer).isInstanceOf(Answer.Accepted.class);
        return ((Answer.Accepted<Applied>) answer).value();
    }

    @Test
    void a_spec_applied_in_one_datacenter_becomes_a_whole_cluster_in_both() {
        apply(1, spec());
        fleet.untilSettled();
        fleet.step();
        fleet.step();
        assertThat(fleet.nodes()).hasSize(6).allMatch(n -> n.mode == OperatingMode.NORMAL);
        assertThat(fleet.nodes()).allSatisfy(n -> assertThat(n.restartedWith).containsExactly("v1 first"));
        assertThat(fleet.nodes()).allMatch(n -> !n.target.firstCreation());
        fleet.datacenters.values().forEach(d -> {
            assertThat(d.controller.view().plans().values()).singleElement().satisfies(p -> assertThat(p.status())
                    .isEqualTo(PlanStatus.COMPLETE));
            assertThat(d.controller.view().clusters().get(RIDES).created()).isTrue();
            assertThat(d.controller.view().nodesOf(RIDES)).allMatch(NodeRecord::joined);
            assertThat(d.controller.clusterStatus(RIDES)).get().satisfies(s -> {
                assertThat(s.whole()).isTrue();
                assertThat(s.findings()).isEmpty();
            });
        });
    }
}
