package io.ringmaster.core.safety;

import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static io.ringmaster.model.node.ClientAccess.AWAITS_CREATION;
import static io.ringmaster.model.node.ClientAccess.CLOSED;
import static io.ringmaster.model.node.ClientAccess.OPEN;
import static io.ringmaster.model.node.OperatingMode.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CreationTest {
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);

    /** Three members here, whose plan has not completed the ring. */
    private static Scene members(ClientAccess access) {
        Scene scene = Scene.placed(BOTH);
        for (int i = 0; i < 3; i++) {
            scene.record(i, r -> r.decide(1).proven())
                    .claim(i, RUNNING)
                    .access(i, access)
                    .says(i, NORMAL);
        }
        return scene;
    }

    private static List<Change> observed(Scene scene) {
        return Creation.observed(scene.view(), Scene.RIDES);
    }

    private static boolean marksCreated(List<Change> changes) {
        return changes.stream()
                .anyMatch(c -> c instanceof Change.Put put
                        && put.record() instanceof ClusterRecord cluster
                        && cluster.created());
    }

    @Test
    void a_founding_datacenter_is_complete_when_another_one_has_completed_the_ring() {
        Scene scene = members(AWAITS_CREATION).founder();
        assertThat(observed(scene.peer(3, 1, 0, false, null))).isEmpty();
        scene.record(1, NodeRecord::evacuate);
        List<Change> changes = observed(scene.peer(3, 1, 1, true, null));
        assertThat(marksCreated(changes)).isTrue();
        assertThat(changes)
                .filteredOn(c -> c instanceof Change.Put put && put.record() instanceof NodeRecord)
                .extracting(c -> (NodeRecord) ((Change.Put) c).record())
                .allSatisfy(n -> assertThat(n.generation())
                        .isEqualTo(scene.view().nodes().get(n.id()).generation() + 1))
                .extracting(NodeRecord::evacuating)
                .containsExactly(false, true, false);
        assertThat(observed(scene.after(changes))).isEmpty();
    }

    @Test
    void a_founding_datacenter_needs_no_report_of_its_nodes_and_does_not_lack_data() {
        Scene scene = members(AWAITS_CREATION).founder().peer(3, 1, 1, true, null);
        for (int i = 0; i < 3; i++) {
            scene.unheard(i);
        }
        assertThat(Seeds.lacksData(scene.view(), Scene.RIDES)).isFalse();
        assertThat(marksCreated(observed(scene))).isTrue();
    }

    @ParameterizedTest
    @EnumSource(ClientAccess.class)
    void a_datacenter_that_was_added_later_still_lacks_the_data(ClientAccess access) {
        Scene scene = members(access).peer(3, 1, 1, true, null);
        assertThat(observed(scene)).isEmpty();
        assertThat(Creation.founding(scene.view(), Scene.RIDES)).isEmpty();
        assertThat(Seeds.lacksData(scene.view(), Scene.RIDES)).isTrue();
    }

    @Test
    void a_datacenter_that_was_added_later_is_marked_when_its_plan_is_complete() {
        Scene scene = members(AWAITS_CREATION).peer(3, 1, 1, true, null);
        assertThat(marksCreated(observed(scene.settled()))).isTrue();
    }

    @Test
    void a_datacenter_that_the_spec_no_longer_names_is_not_marked() {
        Scene scene = members(AWAITS_CREATION)
                .founder()
                .version(BOTH.withDatacenters(BOTH.datacenters().subList(1, 2)))
                .peer(3, 2, 2, true, null);
        assertThat(observed(scene)).isEmpty();
    }

    @Test
    void a_node_that_serves_marks_the_cluster_whatever_its_plan_did() {
        assertThat(marksCreated(observed(members(OPEN)))).isTrue();
        assertThat(observed(members(CLOSED))).isEmpty();
        assertThat(marksCreated(observed(members(AWAITS_CREATION).replicas("trips", 3))))
                .isTrue();
    }

    @Test
    void a_member_of_an_executor_that_does_not_report_its_access_counts_as_open() {
        assertThat(marksCreated(observed(members(CLOSED).accessUnknown(1)))).isTrue();
    }
}
