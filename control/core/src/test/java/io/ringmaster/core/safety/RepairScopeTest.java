package io.ringmaster.core.safety;

import static io.ringmaster.model.node.OperatingMode.DOWN;
import static io.ringmaster.model.node.OperatingMode.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Verdicts;
import io.ringmaster.core.view.View;
import io.ringmaster.model.node.NodeTask;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RepairScopeTest {
    private static final RepairScope DC1 = new RepairScope(Optional.of(Set.of("dc1")));

    /** {@code k1} has replicas in dc1 only, {@code trips} in both datacenters. */
    private static Scene live() {
        return Scene.live(Samples.spec("rides", 3, 2, 3, 2))
                .settled()
                .peer(3, 1, 1, true, null)
                .onlyHere(0, "k1")
                .replicas("trips", 2);
    }

    private static RepairScope scope(Scene scene, String... keyspaces) {
        return RepairScope.of(scene.view(), Scene.RIDES, List.of(keyspaces));
    }

    private static String before(RepairScope scope, Scene scene) {
        View view = scene.view();
        return AvailabilityCheck.ONE_AT_A_TIME
                .beforeRepair(view, view.nodes().get(Scene.node(0)), scope, false)
                .orElse("open");
    }

    private static String next(Scene scene, Map<String, String> args) {
        return Verdicts.line(RunTask.requested(Scene.node(0), NodeTask.Kind.REPAIR, args, false)
                .next(scene.view(), AvailabilityCheck.ONE_AT_A_TIME, Map.of()));
    }

    @Test
    void it_is_the_datacenters_in_which_the_keyspaces_have_replicas() {
        assertThat(scope(live(), "k1")).isEqualTo(DC1);
        assertThat(scope(live(), "k1", "trips")).isEqualTo(new RepairScope(Optional.of(Set.of("dc1", "dc2"))));
        assertThat(scope(live())).isEqualTo(new RepairScope(Optional.of(Set.of("dc1", "dc2"))));
        assertThat(scope(live(), "k1", "system_traces")).as("not known").isEqualTo(RepairScope.ALL);
        assertThat(scope(live().says(0, DOWN).says(1, DOWN).says(2, DOWN), "k1"))
                .as("nobody reports it")
                .isEqualTo(RepairScope.ALL);
    }

    @Test
    void what_one_node_knows_of_more_replicas_counts() {
        Scene altered = live().onlyThere("k2").onlyHere(1, "k2");
        assertThat(scope(altered, "k2")).isEqualTo(new RepairScope(Optional.of(Set.of("dc1", "dc2"))));
        assertThat(next(altered, Map.of("keyspaces", "k2"))).startsWith("do ");
    }

    @Test
    void a_repair_waits_for_the_replicas_of_its_ranges_and_for_no_other_node() {
        Scene deadThere = live().peerNode(2, UNKNOWN).remoteSeen(2, false);
        assertThat(before(DC1, deadThere)).isEqualTo("open");
        assertThat(before(RepairScope.ALL, deadThere)).isEqualTo("dc2 node-2 is UNKNOWN: busy");
        Scene deadHere = live().says(1, DOWN);
        assertThat(before(DC1, deadHere)).isEqualTo("node-1 is DOWN: doing things");
    }

    @Test
    void only_a_repair_of_chosen_keyspaces_has_it_one_for_safety_needs_all_replicas() {
        Scene deadThere = live().peerNode(2, UNKNOWN);
        assertThat(next(deadThere, Map.of("keyspaces", "k1"))).startsWith("do");
        assertThat(next(deadThere, Map.of("keyspaces", "trips"))).isEqualTo("wait: dc2 node-2 is UNKNOWN: busy");
        assertThat(next(deadThere, Map.of())).isEqualTo("wait: dc2 node-2 is UNKNOWN: busy");
        assertThat(next(deadThere, Map.of("within_dc", "true"))).startsWith("do");
        assertThat(next(deadThere, Map.of("within_dc", "true", RunTask.REPLICA_RANGES, "true")))
                .isEqualTo("wait: dc2 node-2 is UNKNOWN: busy");
    }

    @Test
    void a_datacenter_without_replicas_has_nothing_to_repair_even_if_its_node_is_dead() {
        Scene dead = live().onlyThere("k2").silent(0);
        assertThat(next(dead, Map.of("keyspaces", "k2"))).isEqualTo("done {}: has no replicas of what is repaired");
        assertThat(next(dead, Map.of("keyspaces", "trips"))).isEqualTo("wait: node-0: its executor does not answer");
    }

    @Test
    void that_it_has_no_replicas_is_sure_only_when_the_nodes_agree_on_the_schema() {
        Scene altered = live().onlyThere("k2").schema(1, "newer");
        assertThat(next(altered, Map.of("keyspaces", "k2"))).startsWith("wait: schema agreement: ");
        assertThat(next(altered.silent(1), Map.of("keyspaces", "k2")))
                .as("a dead node is not waited for")
                .startsWith("done");
    }

    @Test
    void no_reason_ends_with_a_colon() {
        assertThat(UNKNOWN.with("")).isEqualTo("UNKNOWN");
        assertThat(DOWN.with("was stopped")).isEqualTo("DOWN: was stopped");
    }
}
