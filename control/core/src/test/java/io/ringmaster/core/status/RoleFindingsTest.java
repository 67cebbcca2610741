package io.ringmaster.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.step.RewriteRoles;
import io.ringmaster.core.step.RoleTaskArgs;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.WriteRoles;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RoleSeen;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RoleSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoleFindingsTest {
    private static final RoleSpec APP = login("app");
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2, 3, 2).withRoles(List.of(APP));
    private static final RoleSeen SHUT = new RoleSeen("app", false, false, false, List.of(), List.of());
    private static final RoleSeen WHOLE = new RoleSeen("app", true, false, false, List.of(), List.of());
    private static final String EVE_SHOWN = "ROLES_DIFFER rides: superusers that the spec does not declare: eve";
    private static final RoleSeen EVE = new RoleSeen("eve", true, true, false, List.of(), List.of());

    private static RoleSpec login(String name) {
        return new RoleSpec(new RoleName(name), true, false, PasswordSource.GENERATED, List.of(), List.of());
    }

    private static List<String> lines(Scene scene) {
        return new RoleFindings(scene.view(), Scene.RIDES)
                .all().stream()
                        .map(f -> f.problem().code() + " " + f.subject() + ": "
                                + f.problem().message())
                        .toList();
    }

    /** A plan that writes roles, beside the deploy of version 1. */
    private static Plan writing(
            Step step,
            Map<String, String> memory,
            PlanStatus status,
            StepState.Status at,
            @Nullable Instant stepEnded) {
        Phase pending = Steps.phase("roles", Phase.Strategy.SERIAL, Stream.of(step));
        StepState state = new StepState(
                step.name(),
                pending.steps().get(0).type(),
                pending.steps().get(0).args(),
                memory,
                at,
                at == StepState.Status.PENDING ? null : Scene.NOW,
                stepEnded,
                null,
                null,
                null);
        return new Plan(
                new PlanId(Samples.DC1, 2),
                Scene.RIDES,
                "write-roles",
                Map.of(),
                1,
                "anna",
                null,
                Scene.NOW,
                status.isOver() ? Scene.NOW : null,
                status,
                List.of(new Phase("roles", Phase.Strategy.SERIAL, List.of(state))),
                List.of(),
                null,
                null);
    }

    private static Plan writing(PlanStatus status, StepState.Status at, @Nullable Instant stepEnded) {
        return writing(new RewriteRoles(Scene.RIDES, RoleTaskArgs.again(SPEC)), Map.of(), status, at, stepEnded);
    }

    @Test
    void differences_are_shown_although_a_step_waits_for_another_datacenter() {
        var step = new RewriteRoles(Scene.RIDES, RoleTaskArgs.again(SPEC));
        Map<String, String> memory = Map.of("node", Scene.node(0).toString(), "task", "7");
        Scene scene = Scene.live(SPEC).settled().roles(0, SHUT);
        scene.plan(writing(step, memory, PlanStatus.RUNNING, StepState.Status.WAITING, null));
        assertThat(lines(scene.later(299))).isEmpty();
        assertThat(lines(scene.later(1))).hasSize(1);
    }

    @Test
    void a_role_that_was_changed_by_cql_is_shown_with_the_next_step() {
        Scene scene = Scene.live(SPEC).settled().roles(1, SHUT);
        assertThat(lines(scene))
                .containsExactly(
                        "ROLES_DIFFER rides: roles differ from the spec, somebody changed them by CQL: app cannot log in");
        assertThat(new RoleFindings(scene.view(), Scene.RIDES).all())
                .extracting(f -> String.valueOf(f.problem().nextStep()))
                .containsExactly("write them again: ringmaster cluster write-roles rides; or change the spec");
    }

    @Test
    void a_superuser_of_somebody_else_is_shown_although_no_declared_role_differs() {
        assertThat(lines(Scene.live(SPEC).settled().roles(0, WHOLE, EVE))).containsExactly(EVE_SHOWN);
    }

    @Test
    void many_differences_are_counted() {
        List<RoleSpec> roles =
                IntStream.range(0, 8).mapToObj(i -> login("app" + i)).toList();
        Scene scene = Scene.live(SPEC.withRoles(roles)).settled().roles(0, SHUT);
        assertThat(lines(scene)).singleElement().asString().contains("app4 is not there; and 3 more");
    }

    @Test
    void the_status_of_the_cluster_shows_it() {
        Scene scene = Scene.live(SPEC).settled().roles(1, SHUT);
        assertThat(LocalClusterStatuses.of(scene.view(), Scene.RIDES, List.of())
                        .orElseThrow()
                        .findings())
                .extracting(f -> f.problem().code())
                .contains(ErrorCode.ROLES_DIFFER);
    }

    @Test
    void no_difference_is_shown_before_roles_were_written_once() {
        assertThat(lines(Scene.live(SPEC).roles(0, SHUT))).isEmpty();
    }

    @Test
    void no_difference_is_shown_while_a_newer_spec_with_other_roles_is_not_settled() {
        Scene other = Scene.live(SPEC).settled().roles(0, SHUT).version(SPEC.withRoles(List.of(APP, login("ben"))));
        assertThat(lines(other)).isEmpty();
        Scene same = Scene.live(SPEC)
                .settled()
                .roles(0, SHUT)
                .version(SPEC.withCassandraYaml(Map.of("concurrent_reads", 8)));
        assertThat(lines(same)).as("with the same roles").hasSize(1);
    }

    @Test
    void no_difference_is_shown_while_a_step_writes_roles_and_until_a_later_report_has_come() {
        Map<String, String> args = RoleTaskArgs.again(SPEC);
        for (Step step : List.of(new WriteRoles(Scene.RIDES, args), new RewriteRoles(Scene.RIDES, args))) {
            Scene scene = Scene.live(SPEC).settled().roles(0, SHUT);
            assertThat(lines(scene.plan(writing(step, Map.of(), PlanStatus.RUNNING, StepState.Status.RUNNING, null))))
                    .isEmpty();
            scene.plan(writing(step, Map.of(), PlanStatus.RUNNING, StepState.Status.DONE, Scene.NOW));
            assertThat(lines(scene.later(59))).isEmpty();
            assertThat(lines(scene.later(1))).as("although the plan goes on").hasSize(1);
        }
    }

    @Test
    void differences_are_shown_although_a_plan_waits_to_write_roles_is_paused_or_has_failed() {
        Scene scene = Scene.live(SPEC).settled().roles(0, SHUT);
        assertThat(lines(scene.plan(writing(PlanStatus.RUNNING, StepState.Status.PENDING, null))))
                .hasSize(1);
        assertThat(lines(scene.plan(writing(PlanStatus.RUNNING, StepState.Status.WAITING, null))))
                .hasSize(1);
        assertThat(lines(scene.plan(writing(PlanStatus.PAUSED, StepState.Status.RUNNING, null))))
                .hasSize(1);
        scene.plan(writing(PlanStatus.FAILED, StepState.Status.FAILED, Scene.NOW));
        assertThat(lines(scene)).as("the step may have written some").isEmpty();
        assertThat(lines(scene.later(60))).hasSize(1);
        scene = Scene.live(SPEC).settled().roles(0, SHUT);
        scene.plan(writing(PlanStatus.ABORTED, StepState.Status.RUNNING, null));
        assertThat(lines(scene)).isEmpty();
        assertThat(lines(scene.later(60))).hasSize(1);
    }

    @Test
    void a_superuser_of_somebody_else_is_shown_at_all_times() {
        Scene scene = Scene.live(SPEC).roles(0, SHUT, EVE);
        assertThat(lines(scene)).as("before roles were written once").containsExactly(EVE_SHOWN);
        scene.settled().plan(writing(PlanStatus.RUNNING, StepState.Status.RUNNING, null));
        assertThat(lines(scene)).containsExactly(EVE_SHOWN);
        scene.plan(writing(PlanStatus.COMPLETE, StepState.Status.DONE, Scene.NOW));
        assertThat(lines(scene)).containsExactly(EVE_SHOWN);
        Scene newer =
                Scene.live(SPEC).settled().roles(0, SHUT, EVE).version(SPEC.withRoles(List.of(APP, login("ben"))));
        assertThat(lines(newer)).as("while a newer spec is not settled").containsExactly(EVE_SHOWN);
        RoleSeen flagged = new RoleSeen("app", true, true, false, List.of(), List.of());
        newer.roles(0, flagged);
        assertThat(lines(newer)).singleElement().asString().endsWith("the spec does not declare: app");
    }

    @Test
    void a_superuser_of_either_spec_is_declared_until_the_newer_one_is_settled_and_reported() {
        RoleSpec eve = new RoleSpec(new RoleName("eve"), true, true, PasswordSource.GENERATED, List.of(), List.of());
        ClusterSpec with = SPEC.withRoles(List.of(APP, eve));
        assertThat(lines(Scene.live(SPEC).settled().roles(0, WHOLE, EVE).version(with)))
                .as("added")
                .isEmpty();
        Scene scene = Scene.live(with).settled().roles(0, WHOLE, EVE).version(SPEC);
        assertThat(lines(scene)).as("taken back").isEmpty();
        scene.plan(settled(2)).plan(writing(PlanStatus.COMPLETE, StepState.Status.DONE, Scene.NOW));
        assertThat(lines(scene.later(59))).as("by an old report").isEmpty();
        assertThat(lines(scene.later(1))).containsExactly(EVE_SHOWN);
    }

    private static Plan settled(long version) {
        return new Plan(
                new PlanId(Samples.DC1, 3),
                Scene.RIDES,
                Plan.DEPLOY,
                Map.of(),
                version,
                "anna",
                null,
                Scene.NOW,
                Scene.NOW,
                PlanStatus.COMPLETE,
                List.of(),
                List.of(),
                null,
                null);
    }

    @Test
    void the_report_of_a_node_that_hangs_is_not_believed() {
        Scene scene = Scene.live(SPEC).settled().roles(0, SHUT).access(0, ClientAccess.OPEN);
        scene.pauses(0, OperatingMode.UNKNOWN);
        assertThat(scene.view().status(Scene.node(0)).orElseThrow().ring())
                .as("its old report")
                .isNotNull();
        assertThat(lines(scene)).isEmpty();
        assertThat(lines(scene.roles(1, WHOLE, EVE))).containsExactly(EVE_SHOWN);
    }

    @Test
    void names_that_users_chose_cannot_control_a_terminal() {
        RoleSeen mallory = new RoleSeen("a\u001b[2J\n\"b\u202e", true, true, false, List.of(), List.of());
        assertThat(lines(Scene.live(SPEC).settled().roles(0, WHOLE, mallory)))
                .containsExactly(EVE_SHOWN.replace("eve", "\"a?[2J?\"\"b?\""));
        assertThat(RoleFindings.printable("Eve_2-x")).isEqualTo("Eve_2-x");
        assertThat(RoleFindings.printable("J\u00f6rg Z")).isEqualTo("\"J\u00f6rg Z\"");
        assertThat(RoleFindings.printable("")).isEqualTo("\"\"");
        assertThat(RoleFindings.printable("a".repeat(65))).isEqualTo("\"" + "a".repeat(64) + "\"..");
        assertThat(RoleFindings.printable("\ud83d\ude00".repeat(65)))
                .isEqualTo("\"" + "\ud83d\ude00".repeat(64) + "\"..");
    }

    @Test
    void nothing_is_shown_where_no_roles_are_declared_or_none_could_be_read_or_another_datacenter_writes_them() {
        assertThat(lines(Scene.live(SPEC.withRoles(null)).settled().roles(0, EVE)))
                .isEmpty();
        assertThat(lines(Scene.live(SPEC).settled())).isEmpty();
        ClusterSpec second = SPEC.withDatacenters(
                List.of(SPEC.datacenters().get(1), SPEC.datacenters().get(0)));
        assertThat(lines(Scene.live(second).settled().roles(0, SHUT))).isEmpty();
    }

    @Test
    void every_superuser_is_shown_where_roles_are_on_and_none_is_declared() {
        assertThat(lines(Scene.live(SPEC.withRoles(List.of())).settled().roles(0, EVE)))
                .hasSize(1);
    }
}
