package io.ringmaster.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The first datacenter of the spec is dc2; the replication of roles names dc3, too. */
class DepartedFindingsTest {
    @Test
    void a_datacenter_that_nothing_takes_out_of_the_replication_of_roles_is_shown_with_the_next_step() {
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2).withRoles(List.of());
        Scene scene = Scene.live(both.withDatacenters(
                        List.of(both.datacenters().get(1), both.datacenters().get(0))))
                .settled()
                .roleReplicas(Map.of("dc1", 3, "dc2", 3, "dc3", 3))
                .peer(3, 1, 1, true, null);
        assertThat(DepartedFindings.of(scene.view(), Scene.RIDES)).isEmpty();
        for (int i = 0; i < 3; i++) {
            scene.peerNode(i, OperatingMode.DOWN);
        }
        assertThat(DepartedFindings.of(scene.view(), Scene.RIDES))
                .hasValueSatisfying(f -> assertThat(f.problem().line())
                        .isEqualTo("system_auth names dc3, which has left: CREATE ROLE, GRANT and the like fail ->"
                                + " bring a node of the first datacenter back, and restart nodes that an earlier"
                                + " release started; then try ringmaster cluster replicate-roles rides"));
    }
}
