package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Plans as text, to be read. */
class OperationsTest {
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);

    private static ClusterSpec with(NodeResources resources, Map<String, Object> yaml, int... nodes) {
        List<DatacenterSpec> datacenters = new ArrayList<>();
        for (int i = 0; i < nodes.length; i++) {
            DatacenterSpec old = BOTH.datacenters().get(i);
            datacenters.add(new DatacenterSpec(old.name(), nodes[i], old.seeds(), old.racks()));
        }
        return new ClusterSpec(
                BOTH.name(),
                BOTH.cassandraVersion(),
                BOTH.preset(),
                datacenters,
                resources,
                BOTH.jvm(),
                yaml,
                new PlacementSpec(2));
    }

    private static String draft(View view, Operation operation, Map<String, String> params) {
        Planned planned = operation.plan(view, Scene.RIDES, params);
        assertThat(planned).isInstanceOf(Planned.Draft.class);
        Planned.Draft draft = (Planned.Draft) planned;
        StringBuilder text = new StringBuilder();
        draft.phases().forEach(p -> {
            text.append(p.name()).append(' ').append(p.strategy()).append('\n');
            p.steps().forEach(s -> text.append("  ").append(s.name()).append('\n'));
        });
        draft.changes().forEach(c -> text.append(line(c)).append('\n'));
        draft.notes().forEach(n -> text.append("note: ").append(n).append('\n'));
        return text.toString();
    }

    private static String line(Change change) {
        return change instanceof Change.Put put && put.record() instanceof NodeRecord n
                ? n.id().shortName() + " " + n.rack() + " " + n.allocation().machine() + " "
                        + n.allocation().id() + " " + n.tokens()
                : change.toString();
    }

    private static Problem refused(View view) {
        Planned planned = new Deploy().plan(view, Scene.RIDES, Map.of());
        assertThat(planned).isInstanceOf(Planned.Refused.class);
        return ((Planned.Refused) planned).problems().get(0);
    }

    @Test
    void the_first_creation_starts_all_nodes_at_once_after_the_datacenters_agreed() {
        assertThat(draft(Scene.declared(BOTH).view(), new Deploy(), Map.of()))
                .isEqualTo(
                        """
                        reconciliation SERIAL
                          reconcile
                        sync-datacenter PARALLEL
                          sync dc2
                        deploy PARALLEL
                          dc1 node-0
                          dc1 node-1
                          dc1 node-2
                        verify SERIAL
                          verify ring
                        node-0 r1 machine-1 rides-dc1-node-0 [-9223372036854775807]
                        node-1 r2 machine-2 rides-dc1-node-1 [-3074457345618258943]
                        node-2 r3 machine-3 rides-dc1-node-2 [3074457345618257921]
                        note: the cluster is empty: all nodes start at once
                        note: node-0 on machine-1: rack r1 is next, best fit 0.02
                        note: node-1 on machine-2: rack r2 is next, best fit 0.02
                        note: node-2 on machine-3: rack r3 is next, best fit 0.02
                        """);
    }

    @Test
    void a_live_cluster_changes_node_by_node_and_those_that_are_down_come_first() {
        ClusterSpec changed = with(BOTH.resources(), Map.of("concurrent_reads", 8), 3, 3);
        assertThat(draft(
                        Scene.live(BOTH)
                                .version(changed)
                                .says(1, OperatingMode.DOWN)
                                .view(),
                        new Deploy(),
                        Map.of()))
                .isEqualTo(
                        """
                        reconciliation SERIAL
                          reconcile
                        deploy SERIAL
                          dc1 node-1
                          dc1 node-0
                          dc1 node-2
                        verify SERIAL
                          verify ring
                        note: the cluster is live: one node at a time, each seen NORMAL by all before the next
                        note: nodes that are down come first, then the others in order; if a node fails, its last good version is put back on it and the plan stops
                        note: no user keyspace has replicas in dc1
                        note: these changes move no data; to undo them apply version 1 again: cluster spec rides --version-number 1 prints it
                        """);
    }

    @Test
    void new_nodes_join_a_live_cluster_and_unchanged_ones_are_not_touched() {
        ClusterSpec more = with(BOTH.resources(), Map.of(), 4, 3);
        assertThat(draft(Scene.live(BOTH).version(more).view(), new Deploy(), Map.of()))
                .contains(
                        """
                        deploy SERIAL
                          dc1 node-3
                        repair ranges SERIAL
                          repair ranges
                        cleanup SERIAL
                          cleanup dc1 node-0
                          cleanup dc1 node-1
                          cleanup dc1 node-2
                        verify SERIAL
                        """)
                .contains("node-3 r1 machine-1 rides-dc1-node-3 [")
                .contains("note: effective ownership, RF 3 (assumed), before: node-0 100.0 %", "node-3 50.0 %")
                .contains("note: node-3 joins and streams about 1 KiB, then serves;");
    }

    @Test
    void a_cleanup_that_a_newer_spec_interrupted_is_run_again() {
        Scene scene = Scene.live(BOTH).record(1, r -> r.needsCleanup(true));
        assertThat(draft(scene.view(), new Deploy(), Map.of()))
                .contains("cleanup SERIAL\n  cleanup dc1 node-1\nverify SERIAL");
    }

    @Test
    void surplus_nodes_leave_highest_index_first() {
        ClusterSpec fewer = with(BOTH.resources(), Map.of(), 1, 3);
        assertThat(draft(Scene.live(BOTH).version(fewer).view(), new Deploy(), Map.of()))
                .contains(
                        """
                        leave SERIAL
                          leave dc1 node-2
                          leave dc1 node-1
                        repair ranges SERIAL
                          repair ranges of nodes that left
                        verify SERIAL
                        """)
                .contains("note: effective ownership, RF 3 (assumed), after: node-0 100.0 %")
                .contains("note: node-2 streams 2 KiB to the others and leaves;");
    }

    @Test
    void a_surplus_node_has_a_deploy_step_in_case_it_breaks() {
        ClusterSpec fewer = with(BOTH.resources(), Map.of("concurrent_reads", 8), 1, 3);
        Scene scene = Scene.live(BOTH).version(fewer);
        assertThat(draft(scene.view(), new Deploy(), Map.of()))
                .contains("deploy SERIAL\n  dc1 node-0\n  dc1 node-1\n  dc1 node-2\nleave SERIAL");
        Planned.Draft draft = (Planned.Draft) new Deploy().plan(scene.view(), Scene.RIDES, Map.of());
        assertThat(draft.phases().get(1).steps().get(2).reason())
                .isEqualTo("no change unless it cannot start: it leaves the ring later in this plan");
    }

    @Test
    void nodes_and_racks_are_kept_for_every_replica() {
        Scene scene = Scene.live(BOTH).replicas("trips", 3).peer(3, 1, 1, true, null);
        Problem here =
                refused(scene.version(with(BOTH.resources(), Map.of(), 2, 3)).view());
        assertThat(here.line())
                .startsWith("datacenters.dc1.nodes: 2 are too few: keyspace trips has 3 replicas in dc1 -> keep more");
        assertThat(refused(scene.knowsNothingYet(0).view()).line())
                .as("node-0 starts and knows no keyspace, node-1 reports them")
                .startsWith("datacenters.dc1.nodes: 2 are too few: keyspace trips has 3 replicas in dc1 -> keep more");
        assertThat(refused(scene.record(1, r -> r.replacedAt(r.allocation(), Scene.endpoint(r), Scene.NOW))
                                .view())
                        .message())
                .as("node-1 is being replaced and will hold replicas again")
                .startsWith("2 are too few");
        Problem there =
                refused(scene.version(with(BOTH.resources(), Map.of(), 3, 2)).view());
        assertThat(there.field()).isEqualTo("datacenters.dc2.nodes");
        ClusterSpec four = with(BOTH.resources(), Map.of(), 4, 3);
        Scene racks = Scene.live(four).record(0, r -> Scene.inRack(r, "r1"));
        for (int i = 1; i < 3; i++) {
            racks.record(i, r -> Scene.inRack(r, "r2"));
        }
        racks.record(3, r -> Scene.inRack(r, "r3")).replicas("trips", 3);
        assertThat(refused(racks.version(BOTH).view()).message())
                .isEqualTo("3 are too few: the 3 replicas of keyspace trips would be in 2 racks, not in 3");
    }

    @Test
    void a_leaving_node_has_left_before_another_takes_its_index() {
        assertThat(refused(Scene.live(BOTH).record(2, r -> r.leave(null)).view())
                        .message())
                .isEqualTo("rides/dc1/node-2 is leaving the ring, which cannot be stopped");
    }

    @Test
    void a_joining_node_does_not_get_the_endpoint_of_a_node_that_left() {
        ClusterSpec more = with(BOTH.resources(), Map.of(), 4, 3);
        Scene scene = Scene.live(BOTH).version(more).stray("rides-dc1-node-3", AllocationState.Status.RELEASED);
        Planned.Draft draft = (Planned.Draft) new Deploy().plan(scene.view(), Scene.RIDES, Map.of());
        assertThat(draft.changes())
                .filteredOn(c -> c.key().path().endsWith("node-3"))
                .singleElement()
                .satisfies(c -> assertThat(((NodeRecord) ((Change.Put) c).record())
                                .allocation()
                                .ports()
                                .all())
                        .doesNotContain(7002, 7003, 9043, 9501));
    }

    @Test
    void a_kept_volume_takes_disk_space_and_nothing_else() {
        ClusterSpec more = with(BOTH.resources(), Map.of(), 4, 3);
        Scene small = Scene.live(BOTH).version(more);
        for (int node = 0; node < 3; node++) {
            small.keptVolume("old-" + node, node, Samples.GIB);
        }
        assertThat(draft(small.view(), new Deploy(), Map.of())).contains("rides-dc1-node-3");
        Scene full = Scene.live(BOTH).version(more);
        for (int node = 0; node < 3; node++) {
            full.keptVolume("old-" + node, node, 18 * Samples.GIB);
        }
        assertThat(refused(full.view()).message()).contains("disk: needs 4 GiB", "18 GiB in kept volumes");
    }

    @Test
    void the_volume_of_a_deleted_cluster_is_not_used_for_a_new_one() {
        Scene scene = Scene.declared(BOTH).stray("rides-dc1-node-0", AllocationState.Status.RELEASED);
        assertThat(draft(scene.view(), new Deploy(), Map.of())).contains("machine-1 rides-dc1-node-0-2 [");
    }

    @Test
    void an_impossible_deploy_is_refused_with_its_field() {
        assertThat(refused(Scene.declared(BOTH).poolUnseen().view()).code()).isEqualTo(ErrorCode.POOL_UNAVAILABLE);
        assertThat(refused(Scene.declared(BOTH).deleting().view()).code()).isEqualTo(ErrorCode.CLUSTER_UNKNOWN);
        assertThat(refused(Scene.live(BOTH).deleting().view()).code()).isEqualTo(ErrorCode.CLUSTER_BUSY);
        NodeResources huge = new NodeResources(1000, 8 * Samples.GIB, Samples.GIB, 4 * Samples.GIB);
        assertThat(refused(Scene.live(BOTH).version(with(huge, Map.of(), 3, 3)).view())
                        .field())
                .isEqualTo("node.memory");
        assertThat(refused(Scene.declared(with(BOTH.resources(), Map.of(), 9, 3))
                                .view())
                        .code())
                .isEqualTo(ErrorCode.NO_MACHINE_FITS);
    }

    @Test
    void nodes_elsewhere_restrict_a_change_only_if_they_joined() {
        Scene scene = Scene.live(with(BOTH.resources(), Map.of(), 3, 4))
                .replicas("trips", 4)
                .version(BOTH);
        assertThat(refused(scene.peer(4, 1, 1, true, null).view()).field()).isEqualTo("datacenters.dc2.nodes");
        assertThat(draft(scene.peer(4, 1, 1, false, null).view(), new Deploy(), Map.of()))
                .startsWith("reconciliation SERIAL");
    }

    @Test
    void a_delete_stops_and_releases_all_nodes_and_notes_what_is_kept() {
        assertThat(draft(Scene.live(BOTH).view(), new Delete(), Map.of()))
                .startsWith(
                        """
                        stop PARALLEL
                          stop dc1 node-0
                          stop dc1 node-1
                          stop dc1 node-2
                        release PARALLEL
                          release dc1 node-0
                          release dc1 node-1
                          release dc1 node-2
                        forget SERIAL
                          forget rides
                        """)
                .contains("note: all nodes are stopped at once, in every datacenter: from then on every request fails")
                .contains("note: node-0 on machine-1: volume rides-dc1-node-0, which holds 2 KiB, is kept")
                .contains("note: this cannot be undone: a cluster that is declared under this name again starts empty");
        assertThat(draft(Scene.live(BOTH).view(), new Delete(), Map.of(Delete.DESTROY_DATA, "true")))
                .contains(
                        "note: node-0 on machine-1: volume rides-dc1-node-0, which holds 2 KiB, is DESTROYED, permanently");
    }

    @Test
    void every_operation_of_the_catalogue_has_help_texts() {
        assertThat(Operations.all()).allSatisfy(o -> {
            assertThat(o.summary()).isNotBlank();
            assertThat(Operations.named(o.name())).contains(o);
            assertThat(o.params()).allSatisfy(p -> assertThat(p.help()).isNotBlank());
        });
    }
}
