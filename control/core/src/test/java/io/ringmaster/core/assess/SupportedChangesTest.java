package io.ringmaster.core.assess;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class SupportedChangesTest {
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);
    private static final ClusterSpec WITHOUT =
            BOTH.withDatacenters(BOTH.datacenters().subList(0, 1));

    @Test
    void a_datacenter_that_has_nodes_stays_in_the_spec_until_the_cluster_is_complete() {
        // the nodes here are of a version that did not name it yet
        Scene scene = Scene.placed(WITHOUT).version(BOTH).peer(3, 2, 1, false, null);
        assertThat(SupportedChanges.problems(scene.view(), WITHOUT).stream().map(Problem::line))
                .containsExactly("datacenters: rides has nodes in dc2, which the spec does not name"
                        + " -> name dc2 too, or declare a cluster of another name");
        assertThat(SupportedChanges.problems(scene.created().view(), WITHOUT)).isEqualTo(List.of());
    }
}
