package io.ringmaster.core.safety;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static io.ringmaster.model.node.ClientAccess.AWAITS_CREATION;
import static io.ringmaster.model.node.ClientAccess.OPEN;
import static io.ringmaster.model.node.OperatingMode.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Restores;
import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.decide.ApplyResult;
import io.ringmaster.core.decide.Decision;
import io.ringmaster.core.decide.SubmitSpec;
import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.operation.Planned;
import io.ringmaster.core.operation.Replace;
import io.ringmaster.core.recovery.Recovery;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.step.AwaitDatacenter;
import io.ringmaster.core.step.MarkRestored;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.core.step.VerifyRing;
import io.ringmaster.core.view.View;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** CQL stays closed until every node of both datacenters has its data. */
class RestorationTest {
    private static final ClusterSpec BOTH = Restores.spec(3, 2, 3, 2);
    private static final VerifyRing VERIFY = new VerifyRing(Scene.RIDES, 1);

    /** All nodes have joined, and dc2 answers; the restored schema is there, which counts as data elsewhere. */
    private static Scene joined() {
        return joined(AWAITS_CREATION);
    }

    private static Scene joined(ClientAccess access) {
        return joined(BOTH, access);
    }

    private static Scene joined(ClusterSpec spec, ClientAccess access) {
        Scene scene = Scene.placed(spec).founder();
        RestoreOrigin origin = Restores.of(scene.view().nodesOf(Scene.RIDES));
        scene.origin(origin).replicas("trips", 3);
        for (int i = 0; i < 3; i++) {
            scene.record(i, r -> r.decide(1).proven().knownAs("host-" + r.id().index(), Scene.endpoint(r)))
                    .claim(i, RUNNING)
                    .access(i, access)
                    .says(i, NORMAL)
                    .remoteSeen(i, true);
        }
        return scene.peer(3, 1, 0, true, null).peerUncreated();
    }

    private static boolean creates(List<Change> changes) {
        return changes.stream()
                .anyMatch(c -> c instanceof Change.Put put
                        && put.record() instanceof ClusterRecord cluster
                        && cluster.created());
    }

    private static boolean creates(Verdict verdict) {
        return (verdict instanceof Verdict.Do act && creates(act.changes()))
                || (verdict instanceof Verdict.Done done && creates(done.changes()));
    }

    /** Whether anything of these creates the cluster: the step, its force-complete, or what every pass looks at. */
    private static boolean opens(Scene scene) {
        View view = scene.view();
        return creates(VERIFY.next(view, ONE_AT_A_TIME, Map.of()))
                || creates(VERIFY.forced(view))
                || creates(Creation.observed(view, Scene.RIDES))
                || creates(Recovery.of(view, Scene.RIDES).changes());
    }

    @Test
    void nothing_creates_the_cluster_before_both_datacenters_have_their_data() {
        assertThat(opens(joined())).isFalse();
        assertThat(opens(joined().restored())).isFalse();
        assertThat(opens(joined().peerRestored())).isFalse();
        assertThat(opens(joined().restored().peerRestored())).isTrue();
        assertThat(VERIFY.next(joined().restored().view(), ONE_AT_A_TIME, Map.of()))
                .isEqualTo(new Verdict.Wait("dc2 has not imported the data of the backup"));
    }

    @Test
    void a_node_that_serves_clients_does_not_create_it_either() {
        assertThat(opens(joined(OPEN))).isFalse();
        assertThat(opens(joined(OPEN).restored())).isFalse();
        assertThat(opens(joined().accessUnknown(1))).isFalse();
        assertThat(NodeTargets.of(
                                joined(OPEN).view(),
                                joined(OPEN).view().nodesOf(Scene.RIDES).get(0))
                        .firstCreation())
                .isTrue();
    }

    @Test
    void only_the_step_creates_a_restored_cluster_unless_somebody_opened_cql() {
        Scene scene = joined().restored().peerRestored();
        assertThat(creates(Creation.observed(scene.view(), Scene.RIDES))).isFalse();
        assertThat(creates(VERIFY.next(scene.view(), ONE_AT_A_TIME, Map.of()))).isTrue();
        Scene open = joined(OPEN).restored().peerRestored();
        assertThat(creates(Creation.observed(open.view(), Scene.RIDES))).isTrue();
    }

    @Test
    void a_version_without_the_backup_does_not_end_a_restore() {
        Scene scene = joined().version(Samples.spec("rides", 3, 2, 3, 2)).peer(3, 2, 0, true, null);
        scene.peerUncreated();
        assertThat(scene.view().targetSpec(Scene.RIDES).orElseThrow().origin()).isNull();
        assertThat(creates(Creation.observed(scene.view(), Scene.RIDES))).isFalse();
        VerifyRing second = new VerifyRing(Scene.RIDES, 2);
        assertThat(creates(second.next(scene.view(), ONE_AT_A_TIME, Map.of()))).isFalse();
        assertThat(creates(second.forced(scene.view()))).isFalse();
    }

    @Test
    void a_new_plan_looks_at_every_node_again() {
        View view = joined().restored().peerRestored().view();
        var answer = new SubmitSpec(view, "yaml", BOTH, null, "anna", false).answer();
        View after = view.with(
                ((Answer.Accepted<Decision<ApplyResult>>) answer).value().changes());
        assertThat(Objects.requireNonNull(after.clusters().get(Scene.RIDES)).restored())
                .isFalse();
        assertThat(creates(VERIFY.next(after, ONE_AT_A_TIME, Map.of()))).isFalse();
        assertThat(after.plans().values().stream()
                        .flatMap(p -> p.phases().stream())
                        .map(p -> p.name()))
                .containsSubsequence("fetch", "schema", "import", "indexes", "builds", "restored", "verify");
    }

    /** The other one may wait for the data of this one, to build indexes from the rows of both. */
    @Test
    void a_datacenter_that_lacks_data_of_the_backup_does_not_wait_for_its_turn() {
        List<DatacenterSpec> turned = new ArrayList<>(BOTH.datacenters());
        Collections.reverse(turned);
        Scene scene = joined(BOTH.withDatacenters(turned), AWAITS_CREATION);
        assertThat(turn(scene)).isEmpty();
        assertThat(turn(scene.restored())).contains("dc2 applies version 1 first; it has settled none");
    }

    private static Optional<String> turn(Scene scene) {
        View view = scene.view();
        AwaitDatacenter step = new AwaitDatacenter(Scene.RIDES, 1, Samples.DC2);
        Optional<String> waits = step.next(view, ONE_AT_A_TIME, Map.of()) instanceof Verdict.Wait wait
                ? Optional.of(wait.reason())
                : Optional.empty();
        assertThat(ONE_AT_A_TIME.beforeTouching(view, view.nodesOf(Scene.RIDES).get(0), 1))
                .isEqualTo(waits);
        return waits;
    }

    @Test
    void every_node_owes_a_repair_and_one_the_cleanup_that_its_source_owed() {
        Scene scene = imported();
        assertThat(scene.view().nodesOf(Scene.RIDES))
                .extracting(NodeRecord::needsCleanup)
                .containsExactly(false, true, false);
        assertThat(scene.view().nodesOf(Scene.RIDES))
                .extracting(NodeRecord::owesRepairSince)
                .containsOnly(Scene.NOW);
    }

    private static Scene imported() {
        Scene scene = joined().replicas("trips", 3);
        Verdict verdict = new MarkRestored(Scene.RIDES).next(scene.view(), ONE_AT_A_TIME, Map.of());
        return scene.after(((Verdict.Done) verdict).changes()).peerRestored();
    }

    @Test
    void what_nodes_owe_does_not_keep_a_restored_cluster_from_its_creation_and_stays_after_it() {
        Scene scene = imported();
        Verdict.Do creates = (Verdict.Do) VERIFY.next(scene.view(), ONE_AT_A_TIME, Map.of());
        assertThat(creates(creates)).isTrue();
        scene.after(creates.changes());
        assertThat(scene.view().nodesOf(Scene.RIDES)).allMatch(NodeRecord::owesRepair);
    }

    @Test
    void no_step_of_a_restore_can_be_declared_done() {
        View view = joined().view();
        for (NodeTask.Kind kind : List.of(NodeTask.Kind.RESTORE_SCHEMA, NodeTask.Kind.RESTORE_IMPORT)) {
            assertThat(RunTask.forSpec(Scene.node(0), kind, Map.of()).forced(view))
                    .isInstanceOf(Verdict.Failed.class);
        }
        assertThat(new MarkRestored(Scene.RIDES).forced(view)).isInstanceOf(Verdict.Failed.class);
    }

    @Test
    void an_import_of_a_node_that_does_not_run_is_not_done() {
        View view = Scene.placed(BOTH).view();
        RunTask task = RunTask.forSpec(Scene.node(0), NodeTask.Kind.RESTORE_IMPORT, Map.of());
        assertThat(task.next(view, ONE_AT_A_TIME, Map.of())).isInstanceOf(Verdict.Failed.class);
        assertThat(new MarkRestored(Scene.RIDES).next(view, ONE_AT_A_TIME, Map.of()))
                .isInstanceOf(Verdict.Wait.class);
    }

    @Test
    void the_schema_waits_until_its_node_sees_all_datacenters() {
        RunTask schema = RunTask.forSpec(Scene.node(0), NodeTask.Kind.RESTORE_SCHEMA, Map.of());
        Scene scene = joined().peerNode(1, false, NORMAL);
        assertThat(schema.next(scene.view(), ONE_AT_A_TIME, Map.of()))
                .isEqualTo(new Verdict.Wait("dc2 node-1 has not joined"));
        assertThat(schema.next(joined().view(), ONE_AT_A_TIME, Map.of())).isInstanceOf(Verdict.Do.class);
        RunTask load = RunTask.forSpec(Scene.node(0), NodeTask.Kind.RESTORE_IMPORT, Map.of());
        assertThat(load.next(scene.view(), ONE_AT_A_TIME, Map.of())).isInstanceOf(Verdict.Do.class);
    }

    @Test
    void indexes_are_made_when_the_rows_of_all_datacenters_are_there() {
        RunTask indexes = RunTask.forSpec(Scene.node(0), NodeTask.Kind.RESTORE_INDEXES, Map.of());
        assertThat(indexes.next(joined().view(), ONE_AT_A_TIME, Map.of()))
                .isEqualTo(new Verdict.Wait("dc2 has not imported the data of the backup"));
        assertThat(indexes.next(joined().peerRestored().view(), ONE_AT_A_TIME, Map.of()))
                .isInstanceOf(Verdict.Do.class);
        assertThat(indexes.forced(joined().view()))
                .as("a query that needs the index fails, and no row is lost")
                .isInstanceOf(Verdict.Done.class);
    }

    @Test
    void no_node_is_replaced_before_the_cluster_is_created() {
        Planned refused = new Replace()
                .plan(joined().view(), Scene.RIDES, Map.of("node", Scene.node(0).value()));
        assertThat(((Planned.Refused) refused).problems()).singleElement().satisfies(p -> assertThat(p.message())
                .startsWith("rides is being created"));
    }

    @Test
    void the_data_is_forgotten_when_the_name_becomes_another_cluster_or_the_datacenter_leaves() {
        ClusterRecord restored = Samples.cluster(Scene.RIDES, 1, false).restored(true);
        assertThat(Stream.of(restored.receivedAfter(7), restored.leave(), restored.gone(Scene.NOW, "dc1-1")))
                .noneMatch(ClusterRecord::restored);
        assertThat(restored.withTarget(2).restored()).isTrue();
    }

    @Test
    void the_backup_is_needed_until_the_cluster_is_created_or_deleted_anywhere() {
        assertThat(Restoration.inProgress(joined().view())).isEqualTo(Map.of(Scene.RIDES, Restores.SOURCE));
        Scene withoutField = joined().version(Samples.spec("rides", 3, 2, 3, 2)).peer(3, 2, 0, true, null);
        assertThat(Restoration.inProgress(withoutField.peerUncreated().view()))
                .isEqualTo(Map.of(Scene.RIDES, Restores.SOURCE));
        assertThat(Restoration.inProgress(joined().created().view())).isEmpty();
        assertThat(Restoration.inProgress(joined().peer(3, 1, 0, true, null).view()))
                .isEmpty();
        View view = joined().view();
        ClusterRecord deleted =
                Objects.requireNonNull(view.clusters().get(Scene.RIDES)).deleted(false);
        assertThat(Restoration.inProgress(view.with(List.of(new Change.Put(deleted)))))
                .isEmpty();
        assertThat(Restoration.inProgress(
                        Scene.placed(Samples.spec("rides", 3, 2)).view()))
                .isEmpty();
    }

    @Test
    void a_created_cluster_is_not_being_restored() {
        Scene scene = joined().created();
        assertThat(Seeds.created(scene.view(), Scene.RIDES)).isTrue();
        assertThat(Restoration.of(scene.view(), Scene.RIDES)).isEmpty();
        assertThat(Restoration.incomplete(scene.view(), Scene.RIDES)).isEmpty();
    }
}
