package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EvacuateTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);

    private static Planned plan(Scene scene, String machine) {
        return new Evacuate().plan(scene.view(), Scene.RIDES, Map.of("machine", machine));
    }

    private static List<String> refusal(Scene scene, String machine) {
        return ((Planned.Refused) plan(scene, machine))
                .problems().stream().map(Problem::message).toList();
    }

    private static Scene roomElsewhere() {
        return Scene.live(SPEC).settled().with(Samples.machine(4, "r2")).replicas("trips", 3);
    }

    @Test
    void the_nodes_on_the_machine_move_one_after_another_and_it_is_cordoned() {
        Planned.Draft draft = (Planned.Draft) plan(roomElsewhere(), "dc1/machine-2");
        assertThat(draft.phases().get(1).steps()).extracting(StepState::name).containsExactly("move dc1 node-1");
        assertThat(draft.changes())
                .containsExactly(new Change.Put(new CordonRecord(new MachineName("machine-2"), "is being evacuated")));
        assertThat(draft.notes().get(0))
                .isEqualTo("node-1 to machine-4: another machine of rack r2, with the same storage port;"
                        + " it holds 2 KiB");
    }

    @Test
    void the_ranges_of_a_node_are_repaired_before_it_moves_unless_it_is_lost_or_the_user_skips_it() {
        StepState repair = ((Planned.Draft) plan(roomElsewhere(), "dc1/machine-2"))
                .phases()
                .get(0)
                .steps()
                .get(0);
        assertThat(repair.name()).isEqualTo("repair dc1 node-1");
        assertThat(repair.args())
                .containsEntry("kind", "REPAIR")
                .containsEntry("task.replica_ranges", "true")
                .containsEntry("task.within_dc", "true");

        assertThat(phases(roomElsewhere(), "true")).containsExactly("evacuate", "repair ranges");
        assertThat(phases(roomElsewhere().unheard(1), "false")).containsExactly("evacuate", "repair ranges");
    }

    private static List<String> phases(Scene scene, String skipRepair) {
        Planned planned = new Evacuate()
                .plan(scene.view(), Scene.RIDES, Map.of("machine", "dc1/machine-2", "skip_repair", skipRepair));
        return ((Planned.Draft) planned).phases().stream().map(Phase::name).toList();
    }

    @Test
    void without_room_elsewhere_the_refusal_has_a_reason_for_each_machine() {
        assertThat(refusal(Scene.live(SPEC).settled().replicas("trips", 3), "dc1/machine-2")
                        .get(0))
                .contains(
                        "machine-1: rack: the node must stay in r2",
                        "machine-2: it is being evacuated",
                        "machine-3: rack: the node must stay in r2");
    }

    @Test
    void rows_that_only_one_node_has_are_not_lost() {
        assertThat(refusal(roomElsewhere().replicas("once", 1), "dc1/machine-2"))
                .containsExactly("keyspace once has 1 replica in dc1, which would be lost");
        Scene alone = Scene.live(Samples.spec("rides", 1, 1)).settled().with(Samples.machine(4, "r1"));
        assertThat(refusal(alone, "dc1/machine-1")).containsExactly("it is the only node of rides in dc1");
    }

    @Test
    void a_machine_elsewhere_or_without_nodes_of_the_cluster_is_not_concerned_and_invalid_names_are_refused() {
        assertThat(plan(roomElsewhere(), "dc2/machine-2")).isInstanceOf(Planned.NotConcerned.class);
        assertThat(plan(roomElsewhere(), "dc1/machine-4")).isInstanceOf(Planned.NotConcerned.class);
        assertThat(refusal(roomElsewhere(), "machine-2")).containsExactly("'machine-2' must be DATACENTER/MACHINE");
    }
}
