package io.ringmaster.ports;

import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.LAUNCHING;
import static io.ringmaster.model.fleet.AllocationState.Status.RELEASED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reservations, launches, kills and releases. */
@Timeout(180)
abstract class PoolBasics extends PoolFixture {
    @Test
    void it_reports_a_snapshot_at_the_start() {
        start();
        Fact.PoolSeen seen = snapshot();
        assertThat(seen.machines())
                .extracting(Machine::name)
                .contains(allocation(0).machine());
        assertThat(seen.allocations()).isEmpty();
    }

    @Test
    void a_reservation_is_reported_and_has_a_volume() {
        start();
        assertThat(reserve(allocation(0)).allocation()).isEqualTo(allocation(0));
        writeToVolume(allocation(0), "kept");
        assertThat(readFromVolume(allocation(0))).contains("kept");
    }

    @Test
    void reserving_twice_is_harmless() {
        Pool p = start();
        reserve(allocation(0));
        writeToVolume(allocation(0), "kept");
        facts.clear();
        reserve(allocation(0));
        assertThat(readFromVolume(allocation(0))).contains("kept");
        p.close();
        facts.clear();
        start();
        assertThat(snapshot().allocations()).hasSize(1);
    }

    @Test
    void a_reservation_survives_a_restart_of_the_server() {
        start();
        reserve(allocation(0));
        restart();
        assertThat(snapshot().allocations()).singleElement().satisfies(s -> {
            assertThat(s.allocation()).isEqualTo(allocation(0));
            assertThat(s.status()).isEqualTo(RESERVED);
        });
    }

    @Test
    void a_reservation_on_an_unknown_machine_fails_with_a_problem() {
        Allocation a = allocation(0);
        Allocation elsewhere = new Allocation(
                new AllocationId("elsewhere"), a.node(), new MachineName("nowhere"), a.ports(), a.resources());
        start().reserve(new Command.Reserve(elsewhere), EPOCH);
        assertThat(await(elsewhere, FAILED).problem().message()).contains("nowhere");
    }

    @Test
    void a_launch_starts_the_executor() {
        start();
        reserve(allocation(0));
        launch(allocation(0));
        assertThat(await(allocation(0), LAUNCHING).detail()).isNotBlank();
        await(allocation(0), RUNNING);
        assertThat(executorRun(allocation(0))).isPresent();
    }

    @Test
    void a_second_launch_does_not_disturb_the_running_executor() {
        start();
        running(allocation(0));
        Optional<String> before = executorRun(allocation(0));
        facts.clear();
        launch(allocation(0));
        await(allocation(0), RUNNING);
        assertThat(executorRun(allocation(0))).isEqualTo(before);
    }

    @Test
    void a_launch_without_a_reservation_fails_with_a_problem() {
        start();
        launch(allocation(0));
        assertThat(await(allocation(0), FAILED).problem().message()).contains("reserve");
    }

    @Test
    void the_executor_of_an_allocation_can_be_accessed_until_its_volume_is_destroyed() {
        Pool p = start();
        assertThat(p.access(allocation(0).id())).isEmpty();
        running(allocation(0));
        ExecutorAccess access = p.access(allocation(0).id()).orElseThrow();
        assertThat(access.baseUrl().getHost()).isNotBlank();
        assertThat(access.token()).isNotBlank();
        assertThat(access.toString()).doesNotContain(access.token());
        Pool restarted = restart();
        assertThat(restarted.access(allocation(0).id())).contains(access);
        restarted.release(new Command.Release(allocation(0).id(), true), EPOCH);
        awaitGone(allocation(0));
        assertThat(restarted.access(allocation(0).id())).isEmpty();
    }

    @Test
    void every_allocation_has_its_own_token() {
        Pool p = start();
        running(allocation(0));
        running(allocation(1));
        assertThat(p.access(allocation(0).id()).orElseThrow().token())
                .isNotEqualTo(p.access(allocation(1).id()).orElseThrow().token());
    }

    @Test
    void a_kill_ends_the_executor_and_keeps_the_volume() {
        Pool p = start();
        running(allocation(0));
        writeToVolume(allocation(0), "kept");
        facts.clear();
        p.kill(new Command.Kill(allocation(0).id()), EPOCH);
        await(allocation(0), RESERVED);
        assertThat(executorRun(allocation(0))).isEmpty();
        assertThat(readFromVolume(allocation(0))).contains("kept");
    }

    @Test
    void killing_an_executor_that_does_not_run_is_harmless() {
        Pool p = start();
        reserve(allocation(0));
        facts.clear();
        p.kill(new Command.Kill(allocation(0).id()), EPOCH);
        await(allocation(0), RESERVED);
        p.kill(new Command.Kill(allocation(1).id()), EPOCH);
        awaitGone(allocation(1));
    }

    @Test
    void an_executor_that_exits_is_reported_and_can_be_launched_again() {
        start();
        running(allocation(0));
        Optional<String> before = executorRun(allocation(0));
        crashExecutor(allocation(0));
        assertThat(await(allocation(0), EXITED).detail()).isNotBlank();
        facts.clear();
        launch(allocation(0));
        await(allocation(0), RUNNING);
        assertThat(executorRun(allocation(0))).isPresent().isNotEqualTo(before);
    }

    @Test
    void executors_survive_a_restart_of_the_server_and_are_adopted() {
        Pool p = start();
        running(allocation(0));
        running(allocation(1));
        Optional<String> before = executorRun(allocation(0));
        p.close();
        crashExecutor(allocation(1));
        facts.clear();
        start();
        assertThat(snapshot().allocations())
                .extracting(AllocationState::status)
                .containsExactlyInAnyOrder(RUNNING, EXITED);
        assertThat(executorRun(allocation(0))).isEqualTo(before);
        crashExecutor(allocation(0));
        await(allocation(0), EXITED);
    }

    @Test
    void a_release_keeps_the_volume_for_the_same_allocation() {
        Pool p = start();
        running(allocation(0));
        writeToVolume(allocation(0), "kept");
        p.release(new Command.Release(allocation(0).id(), false), EPOCH);
        await(allocation(0), RELEASED);
        assertThat(executorRun(allocation(0))).isEmpty();
        restart();
        assertThat(snapshot().allocations()).extracting(AllocationState::status).containsExactly(RELEASED);
        reserve(allocation(0));
        assertThat(readFromVolume(allocation(0))).contains("kept");
    }

    @Test
    void a_release_with_destroy_deletes_the_volume() {
        Pool p = start();
        running(allocation(0));
        writeToVolume(allocation(0), "gone");
        p.release(new Command.Release(allocation(0).id(), true), EPOCH);
        awaitGone(allocation(0));
        assertThat(executorRun(allocation(0))).isEmpty();
        assertThat(readFromVolume(allocation(0))).isEmpty();
        restart();
        assertThat(snapshot().allocations()).isEmpty();
    }

    @Test
    void releasing_an_unknown_allocation_reports_that_it_is_gone() {
        start().release(new Command.Release(allocation(0).id(), false), EPOCH);
        awaitGone(allocation(0));
    }
}
