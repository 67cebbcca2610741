package io.ringmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.cli.screen.Fleet;
import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.api.ChangeAnswer;
import io.ringmaster.wire.api.ClusterSummary;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.ProblemDetails;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How long commands with {@code --wait} wait, and how they end. */
class WaitTest extends AgainstServer {
    /** The statuses of rides, one after another; the last one stays. */
    private void answerStatuses(Object... statuses) {
        server.removeContext("/api/v1/clusters/rides/status");
        Deque<Object> next = new ArrayDeque<>(List.of(statuses));
        server.createContext("/api/v1/clusters/rides/status", exchange -> {
            Object now = next.size() > 1 ? next.remove() : next.getFirst();
            reply(exchange, now instanceof ProblemDetails ? 404 : 200, now);
        });
    }

    /** Takes each change of rides. */
    private void answerChanges() {
        answerChange(exchange -> reply(
                exchange,
                200,
                new ChangeAnswer(
                        new ClusterName("rides"), 1, false, true, Fleet.alone().plans(), List.of())));
        answer("/api/v1/plans", 200, new FleetList<>(List.of(), List.of()));
    }

    @Test
    void an_apply_that_removes_a_datacenter_waits_until_it_has_left() throws Exception {
        answerChanges();
        answerStatuses(Fleet.leaving(PlanStatus.RUNNING), Fleet.alone());
        Path file = spec("cluster: rides\n");
        assertThat(run("cluster", "apply", "--yes", "--wait", "-f", file.toString()))
                .isZero();
        assertThat(out()).contains("done");
    }

    @Test
    void an_apply_that_removes_a_datacenter_fails_when_it_does_not_leave() throws Exception {
        answerChanges();
        answerStatuses(Fleet.leaving(PlanStatus.RUNNING), Fleet.leaving(PlanStatus.FAILED));
        Path file = spec("cluster: rides\n");
        assertThat(run("cluster", "apply", "--yes", "--wait", "-f", file.toString()))
                .isEqualTo(ExitCode.FAILED.number());
        assertThat(err()).contains("plan dc2-1 is failed: rides/dc2/node-0 does not leave");
        assertThat(out()).doesNotContain("done\n");
    }

    @Test
    void an_apply_waits_for_a_lost_datacenter_unless_silent_ones_are_allowed() throws Exception {
        answerChanges();
        answerStatuses(Fleet.lost());
        Path file = spec("cluster: rides\n");
        assertThat(run("cluster", "apply", "--yes", "--wait", "--timeout", "0s", "-f", file.toString()))
                .isEqualTo(ExitCode.TIMEOUT.number());
        assertThat(err()).contains("the leaving dc2 still has 3 nodes and does not answer");
        assertThat(run("cluster", "apply", "--yes", "--wait", "--allow-silent-peers", "-f", file.toString()))
                .isZero();
        assertThat(out()).contains("done");
    }

    @Test
    void an_apply_names_its_plan() throws Exception {
        answerChanges();
        Path file = spec("cluster: rides\n");
        assertThat(run("cluster", "apply", "--yes", "-f", file.toString())).isZero();
        assertThat(out()).contains("1 plan started: dc1-1; follow with: ringmaster plan show dc1-1 --wait");
    }

    @Test
    void a_delete_that_waits_shows_no_step_of_an_older_plan() {
        answerChanges();
        answerStatuses(Fleet.deleting(), UNKNOWN);
        assertThat(run("cluster", "delete", "rides", "--yes", "--wait")).isZero();
        assertThat(out()).contains("done").doesNotContain("dc2 node-0", "dc2-1");
    }

    @Test
    void delete_waits_for_every_datacenter() {
        ClusterName eats = new ClusterName("eats");
        answer("/api/v1/clusters/eats", 200, new ChangeAnswer(eats, 1, false, true, List.of(), List.of()));
        answer("/api/v1/plans", 200, new FleetList<>(List.of(), List.of()));
        server.removeContext("/api/v1/clusters");
        AtomicInteger looks = new AtomicInteger();
        server.createContext("/api/v1/clusters", exchange -> {
            var there = new ClusterSummary(
                    eats, Condition.DELETING, 1, "5.0.9", List.of(new DatacenterName("dc2")), 1, 1, List.of());
            boolean gone = looks.incrementAndGet() == 3;
            reply(exchange, 200, new FleetList<>(gone ? List.of() : List.of(there), List.of()));
        });
        assertThat(run("cluster", "delete", "eats", "--yes", "--wait")).isZero();
        assertThat(looks).hasValue(3);
        assertThat(out()).contains("done");
    }

    /** No node is left, and the plan in dc2 destroys the volume of an earlier node. */
    private int destroying(String timeout, PlanStatus... then) {
        ClusterName rides = new ClusterName("rides");
        server.removeContext("/api/v1/clusters/rides/status");
        answer("/api/v1/clusters/rides", 200, new ChangeAnswer(rides, 1, false, true, List.of(), List.of()));
        server.removeContext("/api/v1/clusters");
        answer("/api/v1/clusters", 200, new FleetList<>(List.of(), List.of()));
        Deque<PlanStatus> next = new ArrayDeque<>(List.of(then));
        AtomicBoolean asked = new AtomicBoolean();
        server.createContext("/api/v1/plans", exchange -> {
            List<Plan> plans = asked.getAndSet(true)
                    ? List.of(Fleet.destroying(next.size() > 1 ? next.remove() : next.getFirst()))
                    : List.of();
            reply(exchange, 200, new FleetList<>(plans, List.of()));
        });
        return run("cluster", "delete", "rides", "--destroy-data", "--yes", "--wait", "--timeout", timeout);
    }

    @Test
    void delete_waits_until_the_volumes_of_earlier_nodes_are_destroyed() {
        assertThat(destroying("1m", PlanStatus.RUNNING, PlanStatus.COMPLETE)).isZero();
        assertThat(out()).contains("destroy eats-dc2-node-0", "done");
    }

    @ParameterizedTest
    @EnumSource(
            value = PlanStatus.class,
            names = {"FAILED", "ABORTED"})
    void a_delete_whose_plan_stops_before_the_volumes_are_destroyed_has_failed(PlanStatus stopped) {
        assertThat(destroying("1m", PlanStatus.RUNNING, stopped)).isEqualTo(ExitCode.FAILED.number());
        assertThat(err())
                .contains("plan dc2-2 is " + stopped.name().toLowerCase(Locale.ROOT))
                .contains(
                        stopped == PlanStatus.FAILED
                                ? "plan retry dc2-2"
                                : "plan show dc2-2 or ringmaster volume list");
        assertThat(out()).doesNotContain("done\n");
    }

    @ParameterizedTest
    @CsvSource({"RUNNING, is running", "PAUSED, is paused: ringmaster plan resume dc2-2 continues it"})
    void a_delete_that_takes_too_long_says_how_its_plan_stands(PlanStatus status, String stands) {
        assertThat(destroying("0s", status)).isEqualTo(ExitCode.TIMEOUT.number());
        assertThat(err()).contains("plan dc2-2 " + stands + ";", "try: ringmaster plan show rides --wait");
    }

    @Test
    void a_plan_that_outlives_its_cluster_is_shown_and_followed() {
        destroying("0s", PlanStatus.RUNNING, PlanStatus.RUNNING, PlanStatus.RUNNING);
        answer("/api/v1/plans/dc2-2", 200, Fleet.destroying(PlanStatus.COMPLETE));
        out.reset();
        assertThat(run("plan", "show", "dc2-2")).isZero();
        assertThat(run("plan", "show", "rides", "--wait")).isZero();
        assertThat(out()).contains("destroy eats-dc2-node-0");
    }
}
