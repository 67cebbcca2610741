package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The deciding datacenter is dc1. */
class RebuildTest {
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);

    private static Planned plan(Map<String, String> params) {
        return new Rebuild().plan(Scene.live(BOTH).peer(3, 1, 1, true, null).view(), Scene.RIDES, params);
    }

    private static Problem refused(Map<String, String> params) {
        assertThat(plan(params)).isInstanceOf(Planned.Refused.class);
        return ((Planned.Refused) plan(params)).problems().get(0);
    }

    @Test
    void the_selected_nodes_stream_from_the_other_datacenter_one_after_another_and_then_repair_their_ranges() {
        Planned.Draft draft = (Planned.Draft) plan(Map.of("dc", "dc1", "from", "dc2", "keyspaces", "trips"));
        assertThat(draft.phases()).hasSize(2);
        assertThat(draft.phases().get(1).steps()).extracting(StepState::name).containsExactly("repair ranges");
        assertThat(draft.phases().get(0)).satisfies(p -> {
            assertThat(p.strategy().name()).isEqualTo("SERIAL");
            assertThat(p.steps()).extracting(StepState::name).containsExactly("dc1 node-0", "dc1 node-1", "dc1 node-2");
            assertThat(p.steps().get(1).args())
                    .containsEntry("kind", "REBUILD")
                    .containsEntry("task.from", "dc2")
                    .containsEntry("task.keyspaces", "trips")
                    .doesNotContainKey("task.dc");
        });
    }

    @Test
    void the_plan_says_how_much_the_source_holds() {
        Planned.Draft draft = (Planned.Draft) plan(Map.of("dc", "dc1", "from", "dc2"));
        assertThat(draft.notes()).anyMatch(n -> n.endsWith("the nodes there hold 3 GiB"));
    }

    @Test
    void a_comparison_selects_nodes_in_the_same_way() {
        Planned planned = new Compare()
                .plan(
                        Scene.live(BOTH).peer(3, 1, 1, true, null).view(),
                        Scene.RIDES,
                        Map.of("node", "dc1/node-1", "from", "dc2"));
        assertThat(((Planned.Draft) planned).phases()).singleElement().satisfies(p -> {
            assertThat(p.name()).isEqualTo("compare");
            assertThat(p.steps()).singleElement().satisfies(s -> assertThat(s.args())
                    .containsEntry("kind", "COMPARE")
                    .containsEntry("task.from", "dc2"));
        });
    }

    @Test
    void the_source_datacenter_cannot_be_selected() {
        assertThat(plan(Map.of("dc", "dc2", "from", "dc1"))).isInstanceOf(Planned.NotConcerned.class);
        assertThat(refused(Map.of("from", "dc1")).line())
                .contains("from: nodes of dc1, the source itself, are selected");
        assertThat(refused(Map.of("from", "dc2")).message()).isEqualTo("nodes of dc2, the source itself, are selected");
    }

    @Test
    void a_source_that_is_not_a_datacenter_of_the_cluster_is_refused_for_every_selection() {
        assertThat(refused(Map.of("dc", "dc2", "from", "dc3")).code()).isEqualTo(ErrorCode.DATACENTER_UNKNOWN);
        assertThat(refused(Map.of("node", "three", "from", "dc2")).code()).isEqualTo(ErrorCode.REQUEST_INVALID);
    }
}
