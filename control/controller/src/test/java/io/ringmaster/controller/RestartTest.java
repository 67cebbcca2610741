package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.accepted;
import static io.ringmaster.controller.Requests.apply;
import static io.ringmaster.controller.Requests.poisoned;
import static io.ringmaster.controller.Requests.refused;
import static io.ringmaster.controller.Requests.twoDatacenters;
import static io.ringmaster.controller.Requests.withYaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.operation.Delete;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.store.memory.InMemoryStore;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scheduler may die at any line. */
class RestartTest {
    private static final ClusterName RIDES = new ClusterName("rides");

    /** When no plan has run for this long, none will. */
    private static final int QUIET = 6;

    /**
     * Runs a job; the server of dc1 is killed at its n-th commit, before or after it was made. Returns whether it came
     * to that.
     */
    private static boolean killedAt(long n, InMemoryStore.Failure failure, Job job) {
        FakeFleet fleet = new FakeFleet(2);
        job.prepare(fleet);
        FakeDatacenter dc1 = fleet.dc(1);
        long before = dc1.store.commits();
        boolean killed = false;
        long commit = n;
        job.ask(fleet);
        int quiet = 0;
        for (int i = 0; i < 150 && quiet < QUIET; i++) {
            if (!killed && dc1.store.commits() - before >= n) {
                // the next commit is the one it dies in: nothing of what follows it reaches the outside
                dc1.store.failNext(failure);
                fleet.step();
                dc1.restart();
                killed = true;
            }
            fleet.step();
            quiet = fleet.isSettled() ? quiet + 1 : 0;
            assertThat(job.nodesThatMayBeDown())
                    .as(() -> "down after commit " + commit + " " + fleet.describe())
                    .isGreaterThanOrEqualTo((int) fleet.nodes().stream()
                            .filter(node -> node.mode != OperatingMode.NORMAL)
                            .count());
        }
        job.check(fleet);
        return killed;
    }

    private interface Job {
        void prepare(FakeFleet fleet);

        void ask(FakeFleet fleet);

        int nodesThatMayBeDown();

        void check(FakeFleet fleet);
    }

    private static final Job CREATE = new Job() {
        @Override
        public void prepare(FakeFleet fleet) {}

        @Override
        public void ask(FakeFleet fleet) {
            apply(fleet.dc(1), twoDatacenters());
        }

        @Override
        public int nodesThatMayBeDown() {
            return 6;
        }

        @Override
        public void check(FakeFleet fleet) {
            assertThat(fleet.nodes()).hasSize(6).allMatch(n -> n.mode == OperatingMode.NORMAL);
            assertThat(fleet.nodes()).allMatch(n -> n.starts == 1);
            everyPlanEnded(fleet);
        }
    };

    private static final Job CHANGE = new Job() {
        @Override
        public void prepare(FakeFleet fleet) {
            apply(fleet.dc(1), twoDatacenters());
            fleet.untilSettled();
        }

        @Override
        public void ask(FakeFleet fleet) {
            apply(fleet.dc(1), withYaml(twoDatacenters(), Map.of("concurrent_reads", 8)));
        }

        @Override
        public int nodesThatMayBeDown() {
            return 1;
        }

        @Override
        public void check(FakeFleet fleet) {
            assertThat(fleet.nodes())
                    .allSatisfy(n -> assertThat(n.restartedWith).containsExactly("v1 first", "v2"));
            everyPlanEnded(fleet);
        }
    };

    private static final Job PUT_BACK = new Job() {
        @Override
        public void prepare(FakeFleet fleet) {
            CHANGE.prepare(fleet);
        }

        @Override
        public void ask(FakeFleet fleet) {
            apply(fleet.dc(1), poisoned(twoDatacenters()));
        }

        @Override
        public int nodesThatMayBeDown() {
            return 1;
        }

        @Override
        public void check(FakeFleet fleet) {
            assertThat(fleet.nodes()).allMatch(n -> n.mode == OperatingMode.NORMAL);
            assertThat(fleet.nodes()).filteredOn(n -> n.starts > 1).hasSize(1);
            assertThat(fleet.dc(1).controller.view().plans().get(new PlanId(fleet.dc(1).name, 2)))
                    .satisfies(p -> assertThat(p.status()).isEqualTo(PlanStatus.FAILED));
        }
    };

    private static final Job DELETE = new Job() {
        @Override
        public void prepare(FakeFleet fleet) {
            CHANGE.prepare(fleet);
        }

        @Override
        public void ask(FakeFleet fleet) {
            accepted(fleet.dc(1).controller.requests().run(Delete.NAME, RIDES, Map.of(), "alice", false));
        }

        @Override
        public int nodesThatMayBeDown() {
            return 6;
        }

        @Override
        public void check(FakeFleet fleet) {
            assertThat(fleet.nodes()).isEmpty();
            fleet.datacenters.values().forEach(d -> assertThat(d.volumes).hasSize(3));
            everyPlanEnded(fleet);
        }
    };

    private static void everyPlanEnded(FakeFleet fleet) {
        fleet.datacenters.values().forEach(d -> assertThat(
                        d.controller.view().plans().values())
                .as(fleet.describe())
                .isNotEmpty()
                .allMatch(p -> p.status().isOver()));
    }

    private static void killEverywhere(Job job, InMemoryStore.Failure failure) {
        int kills = 0;
        for (int n = 1; killedAt(n, failure, job); n++) {
            kills++;
        }
        assertThat(kills).isGreaterThan(2);
    }

    @ParameterizedTest
    @EnumSource(InMemoryStore.Failure.class)
    void killed_at_any_commit_of_a_first_creation_it_finishes_it(InMemoryStore.Failure failure) {
        killEverywhere(CREATE, failure);
    }

    @ParameterizedTest
    @EnumSource(InMemoryStore.Failure.class)
    void killed_at_any_commit_of_a_change_it_finishes_it_one_node_at_a_time(InMemoryStore.Failure failure) {
        killEverywhere(CHANGE, failure);
    }

    @ParameterizedTest
    @EnumSource(InMemoryStore.Failure.class)
    void killed_at_any_commit_of_a_failing_change_it_puts_it_back(InMemoryStore.Failure failure) {
        killEverywhere(PUT_BACK, failure);
    }

    @ParameterizedTest
    @EnumSource(InMemoryStore.Failure.class)
    void killed_at_any_commit_of_a_delete_it_finishes_it_and_keeps_the_volumes(InMemoryStore.Failure failure) {
        killEverywhere(DELETE, failure);
    }

    @Test
    void a_store_that_does_not_answer_is_read_again_before_anything_else() {
        FakeFleet fleet = new FakeFleet(2);
        FakeDatacenter dc1 = fleet.dc(1);
        dc1.store.failNext(InMemoryStore.Failure.AFTER_COMMIT);
        assertThat(refused(dc1.controller.requests().applySpec("yaml", twoDatacenters(), null, "alice", false, false)))
                .singleElement()
                .satisfies(p -> assertThat(p.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        assertThat(refused(dc1.controller.requests().applySpec("yaml", twoDatacenters(), null, "alice", false, false)))
                .singleElement()
                .satisfies(p -> assertThat(p.message()).contains("nothing was changed"));
        fleet.untilSettled();
        assertThat(fleet.nodes()).hasSize(6);
    }

    @Test
    void one_that_another_server_overtook_steps_down_and_sends_nothing() {
        FakeFleet fleet = new FakeFleet(1);
        FakeDatacenter dc1 = fleet.dc(1);
        dc1.store.nextEpoch();
        refused(dc1.controller.requests().applySpec("yaml", Requests.oneDatacenter(), null, "alice", false, false));
        assertThat(dc1.controller.leads()).isFalse();
        assertThat(dc1.commands).isEmpty();
        assertThat(refused(dc1.controller
                        .requests()
                        .applySpec("yaml", Requests.oneDatacenter(), null, "alice", false, false)))
                .singleElement()
                .satisfies(p -> assertThat(p.code()).isEqualTo(ErrorCode.NOT_LEADER));
        dc1.elect();
        apply2(fleet, dc1);
    }

    private static void apply2(FakeFleet fleet, FakeDatacenter dc1) {
        fleet.step();
        apply(dc1, Requests.oneDatacenter());
        fleet.untilSettled();
        assertThat(dc1.nodes).hasSize(3);
    }

    @Test
    void a_restarted_server_concludes_nothing_from_absence_before_the_pool_has_spoken() {
        FakeFleet fleet = new FakeFleet(1);
        FakeDatacenter dc1 = fleet.dc(1);
        apply(dc1, Requests.oneDatacenter());
        fleet.until("launched", 10, () -> dc1.nodes.size() == 3);
        dc1.restart();
        dc1.commands.clear();
        dc1.controller.tick();
        assertThat(dc1.commands).isEmpty();
        assertThat(dc1.watched).hasSize(3);
        dc1.controller.accept(dc1.pool.snapshot());
        fleet.untilSettled();
        assertThat(fleet.nodes()).allMatch(n -> n.starts == 1);
    }

    @Test
    void a_pause_survives_a_restart() {
        FakeFleet fleet = new FakeFleet(1);
        FakeDatacenter dc1 = fleet.dc(1);
        apply(dc1, Requests.oneDatacenter());
        PlanId plan = new PlanId(dc1.name, 1);
        accepted(dc1.controller.requests().control(plan, PlanVerb.PAUSE, null, "alice"));
        dc1.restart();
        fleet.step();
        assertThat(dc1.controller.view().plans().get(plan).status()).isEqualTo(PlanStatus.PAUSED);
        assertThat(dc1.controller.audit()).extracting("what").contains("pause plan dc1-1");
    }
}
