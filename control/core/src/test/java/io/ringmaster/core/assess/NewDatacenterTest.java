package io.ringmaster.core.assess;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.operation.Deploy;
import io.ringmaster.core.operation.Planned;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The deciding datacenter, dc1, is added to a cluster that dc2 already has. */
class NewDatacenterTest {
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);
    private static final ClusterSpec DC2_FIRST = BOTH.withDatacenters(
            List.of(BOTH.datacenters().get(1), BOTH.datacenters().get(0)));

    private static Planned plan(Scene scene) {
        return new Deploy().plan(scene.view(), Scene.RIDES, Map.of());
    }

    private static List<String> phases(Planned planned) {
        assertThat(planned).isInstanceOf(Planned.Draft.class);
        return ((Planned.Draft) planned)
                .phases().stream()
                        .map(p -> p.name() + " " + p.strategy() + " "
                                + p.steps().stream().map(StepState::name).toList())
                        .toList();
    }

    @Test
    void its_nodes_join_then_the_keyspaces_are_altered_then_each_node_streams_from_the_other_datacenter() {
        Planned planned = plan(Scene.declared(DC2_FIRST).peer(3, 1, 1, true, null));
        assertThat(phases(planned))
                .containsExactly(
                        "reconciliation SERIAL [reconcile]",
                        "sync-datacenter PARALLEL [wait for dc2]",
                        "deploy SERIAL [dc1 node-0, dc1 node-1, dc1 node-2]",
                        "replicate SERIAL [replicate dc1 node-0]",
                        "rebuild SERIAL [rebuild dc1 node-0, rebuild dc1 node-1, rebuild dc1 node-2]",
                        "compare SERIAL [compare dc1 node-0, compare dc1 node-1, compare dc1 node-2]",
                        "repair ranges SERIAL [repair ranges]",
                        "verify SERIAL [verify ring]");
        assertThat(((Planned.Draft) planned)
                        .phases().stream()
                                .map(Phase::steps)
                                .flatMap(List::stream)
                                .filter(s -> s.name().equals("rebuild dc1 node-2"))
                                .findFirst()
                                .orElseThrow()
                                .args())
                .containsEntry("task.from", "dc2");
    }

    @Test
    void surplus_nodes_leave_before_the_others_stream_because_they_would_hand_over_ranges_without_rows() {
        List<DatacenterSpec> datacenters = DC2_FIRST.datacenters();
        ClusterSpec four = DC2_FIRST.withDatacenters(
                List.of(datacenters.get(0), new DatacenterSpec(Samples.DC1, 4, 2, List.of())));
        Scene scene = Scene.placed(four);
        for (int i = 0; i < 4; i++) {
            scene.record(i, r -> r.decide(1).proven()).claim(i, AllocationState.Status.RUNNING);
            scene.says(i, OperatingMode.NORMAL);
        }
        assertThat(phases(plan(scene.version(DC2_FIRST).peer(3, 2, 2, true, null))))
                .map(p -> p.split(" ", 2)[0])
                .containsSubsequence("leave", "replicate", "rebuild", "compare");
    }

    @Test
    void the_plan_notes_how_much_data_the_source_holds() {
        Planned.Draft draft = (Planned.Draft) plan(Scene.declared(DC2_FIRST).peer(3, 1, 1, true, null));
        assertThat(draft.notes())
                .anyMatch(n -> n.contains("from dc2, whose nodes hold 3 GiB: about as much is streamed"));
    }

    @Test
    void its_nodes_share_the_ring_evenly() {
        Planned.Draft draft = (Planned.Draft) plan(Scene.declared(DC2_FIRST).peer(3, 1, 1, true, null));
        assertThat(draft.changes())
                .map(c -> ((NodeRecord) ((Change.Put) c).record()).tokens().get(0))
                .containsExactly("-9223372036854775806", "-3074457345618258942", "3074457345618257922");
    }

    @Test
    void once_complete_its_data_is_not_streamed_again() {
        assertThat(phases(plan(Scene.live(DC2_FIRST).peer(3, 1, 1, true, null))))
                .noneMatch(p -> p.startsWith("rebuild"));
    }

    @Test
    void it_must_be_listed_after_the_existing_datacenters() {
        Planned planned = plan(Scene.declared(BOTH).peer(3, 1, 1, true, null));
        assertThat(planned).isInstanceOf(Planned.Refused.class);
        Problem problem = ((Planned.Refused) planned).problems().get(0);
        assertThat(problem.code()).isEqualTo(ErrorCode.SPEC_CHANGE_UNSUPPORTED);
        assertThat(problem.line()).contains("datacenters.dc1").contains("is listed before dc2");
    }
}
