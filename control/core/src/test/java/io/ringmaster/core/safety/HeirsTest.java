package io.ringmaster.core.safety;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.record.NodeRecordBuilder;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeirsTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 5, 2);

    /** Tokens in the order of the indexes; node-0 and node-3 are in one rack, node-1 and node-4 in another. */
    private static Scene ring() {
        Scene scene = Scene.live(SPEC);
        for (int i = 0; i < 5; i++) {
            String token = String.valueOf(i * (1L << 60));
            String rack = "r" + (i % 3 + 1);
            scene.record(i, r -> NodeRecordBuilder.builder(Scene.inRack(r, rack))
                    .tokens(List.of(token))
                    .build());
        }
        return scene;
    }

    private static List<String> heirs(Scene scene, int leaving) {
        var view = scene.view();
        return Heirs.of(view, view.nodesOf(Scene.RIDES).get(leaving)).stream()
                .map(n -> n.id().shortName())
                .toList();
    }

    @Test
    void with_a_replica_per_rack_the_heirs_are_in_the_rack_of_the_leaving_node() {
        assertThat(heirs(ring().replicas("trips", 3), 4)).containsExactly("node-1");
    }

    @Test
    void with_fewer_replicas_than_racks_others_take_over_too() {
        assertThat(heirs(ring().replicas("trips", 3).replicas("once", 1), 3)).containsExactly("node-0", "node-4");
    }

    @Test
    void who_takes_over_roles_and_permissions_is_an_heir() {
        assertThat(heirs(ring(), 4)).as("three replicas").containsExactly("node-1");
        assertThat(heirs(ring().replicas("once", 1), 3)).containsExactly("node-0", "node-4");
    }

    @Test
    void without_a_keyspace_that_says_who_all_that_stay_are_heirs() {
        Scene unknown = ring().replicas("trips", 3);
        for (int i = 0; i < 5; i++) {
            unknown.silent(i);
        }
        assertThat(heirs(unknown, 4)).containsExactly("node-0", "node-1", "node-2", "node-3");
    }
}
