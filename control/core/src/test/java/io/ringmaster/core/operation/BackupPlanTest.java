package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.decide.Decision;
import io.ringmaster.core.decide.SubmitOperation;
import io.ringmaster.core.decide.SubmitResult;
import io.ringmaster.core.plan.PlanDigests;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The deciding datacenter is dc1, the first of the spec. */
class BackupPlanTest {
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);

    private static Scene live() {
        return Scene.live(BOTH).settled().peer(3, 1, 1, true, null);
    }

    private static Answer<Decision<SubmitResult>> submit(View view, Map<String, String> params) {
        return new SubmitOperation(view, Backup.NAME, Scene.RIDES, params, "anna", "").answer();
    }

    private static Decision<SubmitResult> accepted(View view, Map<String, String> params) {
        return ((Answer.Accepted<Decision<SubmitResult>>) submit(view, params)).value();
    }

    private static Plan plan(View view, Map<String, String> params) {
        return Objects.requireNonNull(accepted(view, params).result().plan());
    }

    private static List<Problem> refused(View view, Map<String, String> params) {
        return ((Answer.Refused<Decision<SubmitResult>>) submit(view, params)).problems();
    }

    private static StepState first(Plan plan, String phase) {
        return plan.phases().stream()
                .filter(p -> p.name().equals(phase))
                .findFirst()
                .orElseThrow()
                .steps()
                .get(0);
    }

    @Test
    void all_nodes_take_their_snapshots_and_send_them_at_once_and_the_first_datacenter_commits() {
        Plan plan = plan(live().view(), Map.of("to", "main"));
        assertThat(plan.phases()).extracting(Phase::name).containsExactly("lock", "snapshot", "upload", "commit");
        assertThat(plan.phases().subList(1, 3)).allSatisfy(p -> {
            assertThat(p.strategy()).isEqualTo(Phase.Strategy.PARALLEL);
            assertThat(p.steps()).hasSize(3);
        });
    }

    @Test
    void with_a_rule_what_to_keep_the_older_backups_are_deleted_after_the_commit() {
        Map<String, String> params = Map.of("to", "main", "bandwidth", "1MiB/s", "keep_last", "4", "keep_daily", "7");
        Plan plan = plan(live().view(), params);
        assertThat(plan.phases()).extracting(Phase::name).endsWith("commit", "retain");
        assertThat(first(plan, "retain").args())
                .containsEntry("transfer.keep_last", "4")
                .containsEntry("transfer.keep_daily", "7")
                .containsEntry("transfer.to", "main")
                .containsEntry("transfer.backup", plan.params().get("id"))
                .containsEntry("after_backup", "true")
                .doesNotContainKey("transfer.delete");
    }

    @ParameterizedTest
    @CsvSource({"keep_last, 0", "keep_last, all", "keep_daily, -1", "keep_daily, 7"})
    void a_rule_that_keeps_none_is_refused_with_its_field(String field, String value) {
        assertThat(refused(live().view(), Map.of("to", "main", field, value)))
                .allSatisfy(p -> assertThat(p.field()).isEqualTo(field))
                .isNotEmpty();
    }

    @Test
    void the_server_chooses_one_id_for_all_datacenters_and_nobody_else_does() {
        View view = live().view();
        Decision<SubmitResult> made = accepted(view, Map.of("to", "main"));
        String id = made.result().request().params().get("id");
        assertThat(id).matches("20260101T120000Z-[0-9a-f]{4}");
        Plan plan = Objects.requireNonNull(made.result().plan());
        assertThat(first(plan, "snapshot").args()).containsEntry("task.backup", id);
        assertThat(first(plan, "upload").args()).containsEntry("transfer.backup", id);
        assertThat(first(plan, "commit").args()).containsEntry("transfer.backup", id);
        assertThat(refused(view, Map.of("to", "main", "id", "20250101T000000Z-0000")))
                .singleElement()
                .satisfies(p -> assertThat(p.field()).isEqualTo("id"));
    }

    @Test
    void the_same_backup_is_not_requested_twice_at_once_although_each_has_an_id() {
        View before = live().view();
        View after = before.with(accepted(before, Map.of("to", "main")).changes());
        assertThat(refused(after, Map.of("to", "main"))).singleElement().satisfies(p -> assertThat(p.code())
                .isEqualTo(ErrorCode.CLUSTER_BUSY));
        assertThat(submit(after, Map.of("to", "other"))).isInstanceOf(Answer.Accepted.class);
    }

    @Test
    void a_dry_run_and_the_request_after_it_have_one_digest() {
        Plan seen = plan(live().view(), Map.of("to", "main"));
        Plan made = plan(live().later(5).view(), Map.of("to", "main"));
        assertThat(seen.params()).isNotEqualTo(made.params());
        assertThat(PlanDigests.of(List.of(seen))).isEqualTo(PlanDigests.of(List.of(made)));
        assertThat(PlanDigests.of(List.of(plan(live().view(), Map.of("to", "other")))))
                .isNotEqualTo(PlanDigests.of(List.of(made)));
    }

    @Test
    void the_commit_expects_the_nodes_of_all_datacenters_and_keeps_the_spec() {
        assertThat(first(plan(live().view(), Map.of("to", "main")), "commit").args())
                .containsEntry("transfer.nodes", "dc1.node-0,dc1.node-1,dc1.node-2,dc2.node-0,dc2.node-1,dc2.node-2")
                .containsEntry("transfer.datacenters", "dc1,dc2")
                .containsEntry("transfer.incarnation", "dc1-1")
                .containsEntry("transfer.spec", "yaml");
    }

    @Test
    void a_node_that_owes_a_cleanup_says_so_and_the_rate_is_in_bytes_per_second() {
        View view = live().record(0, r -> r.needsCleanup(true)).view();
        assertThat(first(plan(view, Map.of("to", "main", "bandwidth", "100MiB/s")), "upload")
                        .args())
                .containsEntry("transfer.needs_cleanup", "true")
                .containsEntry("transfer.bandwidth", "104857600");
    }

    @Test
    void a_full_backup_lets_each_node_send_everything() {
        View view = live().view();
        assertThat(first(plan(view, Map.of("to", "main")), "upload").args()).doesNotContainKey("transfer.full");
        assertThat(first(plan(view, Map.of("to", "main", "full", "true")), "upload")
                        .args())
                .containsEntry("transfer.full", "true");
    }

    @Test
    void a_verification_reads_from_a_location() {
        Map<String, String> params = Map.of("from", "main", "backup", "20260101T120000Z-3f9c");
        Planned planned = new BackupVerify().plan(live().view(), Scene.RIDES, params);
        assertThat(planned.toString()).contains("to=main");
        Planned refused = new BackupVerify().plan(live().view(), Scene.RIDES, Map.of("from", "Main"));
        assertThat(((Planned.Refused) refused).problems())
                .extracting(Problem::field)
                .contains("from");
    }

    @ParameterizedTest
    @CsvSource({"../main, 1MiB/s, to", "'', 1MiB/s, to", "main, fast, bandwidth", "main, 0MiB/s, bandwidth"})
    void a_wrong_value_is_refused_with_its_field(String to, String bandwidth, String field) {
        assertThat(refused(live().view(), Map.of("to", to, "bandwidth", bandwidth)))
                .singleElement()
                .satisfies(p -> assertThat(p.field()).isEqualTo(field));
    }

    @Test
    void a_stopped_cluster_is_started_first() {
        Scene stopped = live();
        for (int i = 0; i < 3; i++) {
            stopped.record(i, r -> r.running(false)).says(i, OperatingMode.DOWN);
        }
        assertThat(refused(stopped.view(), Map.of("to", "main")))
                .singleElement()
                .satisfies(p -> assertThat(p.line()).isEqualTo("rides is stopped -> ringmaster cluster start rides"));
    }
}
