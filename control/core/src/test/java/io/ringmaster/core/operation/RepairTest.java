package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepairTest {
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);

    private static Planned plan(Map<String, String> params) {
        return new Repair().plan(Scene.live(BOTH).view(), Scene.RIDES, params);
    }

    private static Planned.Draft draft(Map<String, String> params) {
        Planned planned = plan(params);
        assertThat(planned).isInstanceOf(Planned.Draft.class);
        return (Planned.Draft) planned;
    }

    @Test
    void one_node_after_another_repairs_its_own_ranges() {
        Planned.Draft draft = draft(Map.of());
        assertThat(draft.phases()).hasSize(1);
        assertThat(draft.phases().get(0).strategy().name()).isEqualTo("SERIAL");
        assertThat(draft.phases().get(0).steps())
                .extracting(s -> s.name())
                .containsExactly("dc1 node-0", "dc1 node-1", "dc1 node-2");
        assertThat(draft.notes())
                .contains("it can be paused and aborted at any time; repaired ranges stay repaired")
                .noneMatch(n -> n.contains("primary ranges of other nodes are not repaired"));
    }

    @Test
    void ranges_that_nodes_took_over_in_an_aborted_plan_come_first() {
        Planned.Draft draft = (Planned.Draft) new Repair()
                .plan(Scene.live(BOTH).record(1, r -> r.owing(Scene.NOW)).view(), Scene.RIDES, Map.of());
        assertThat(draft.phases()).extracting(p -> p.name()).containsExactly("repair ranges", "repair");
    }

    @Test
    void ranges_repaired_before_the_request_are_repaired_again_unless_younger_than_max_age() {
        assertThat(draft(Map.of()).phases().get(0).steps().get(0).args())
                .containsEntry(
                        "task.unless_after", Scene.live(BOTH).view().now().toString())
                .doesNotContainKey("task.max_age");
        assertThat(draft(Map.of("max_age", "12h", "keyspaces", "app", "intensity", "0.5"))
                        .phases()
                        .get(0)
                        .steps()
                        .get(0)
                        .args())
                .containsEntry(
                        "task.unless_after",
                        Scene.live(BOTH)
                                .view()
                                .now()
                                .minus(Duration.ofHours(12))
                                .toString())
                .containsEntry("task.keyspaces", "app")
                .containsEntry("task.intensity", "0.5")
                .as("by the clock of the node, which that of the server may differ from")
                .containsEntry("task.max_age", "PT12H");
    }

    @Test
    void a_keyspace_that_no_node_knows_is_refused_and_no_typo_repairs_nothing() {
        Planned planned = new Repair()
                .plan(Scene.live(BOTH).replicas("trips", 3).view(), Scene.RIDES, Map.of("keyspaces", "trips,nowhere"));
        assertThat(((Planned.Refused) planned).problems())
                .extracting(Problem::message)
                .containsExactly("keyspace 'nowhere' is not there; there are [trips]");
    }

    @Test
    void a_selection_of_nodes_notes_that_other_ranges_are_not_repaired() {
        assertThat(draft(Map.of("dc", "dc1")).notes())
                .anyMatch(n -> n.contains("primary ranges of other nodes are not repaired"));
        assertThat(draft(Map.of("dc", "dc1", "within_dc", "true")).notes())
                .noneMatch(n -> n.contains("primary ranges of other nodes are not repaired"));
        assertThat(draft(Map.of("node", "dc1/node-1", "within_dc", "true")).notes())
                .anyMatch(n -> n.contains("primary ranges of other nodes are not repaired"));
        assertThat(plan(Map.of("dc", "dc2"))).isInstanceOf(Planned.NotConcerned.class);
    }

    @ParameterizedTest
    @CsvSource({
        "intensity, 0",
        "intensity, 2",
        "intensity, fast",
        "segments, 0",
        "segments, 5000",
        "parallelism, all",
        "within_dc, yes",
        "max_age, 3",
        "max_age, 0h",
        "tables, trips"
    })
    void a_wrong_value_is_refused_with_its_field(String param, String value) {
        Planned planned = plan(Map.of(param, value));
        assertThat(planned).isInstanceOf(Planned.Refused.class);
        List<Problem> problems = ((Planned.Refused) planned).problems();
        assertThat(problems).singleElement().satisfies(p -> assertThat(p.field())
                .isEqualTo(param.equals("tables") ? "keyspaces" : param));
    }
}
