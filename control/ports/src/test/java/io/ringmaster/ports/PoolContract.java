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
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.spec.NodeResources;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The behaviour of every {@link Pool}, with real executors or with doubles of them. */
public abstract class PoolContract extends PoolBasics {
    private static final NodeResources LESS = new NodeResources(250, 512L << 20, 128L << 20, 2L << 30);

    @Test
    void the_revisions_of_an_allocation_grow_across_full_reports_too() {
        Pool p = start();
        running(allocation(0));
        p.kill(new Command.Kill(allocation(0).id()), EPOCH);
        launch(allocation(0));
        p.release(new Command.Release(allocation(0).id(), true), EPOCH);
        awaitGone(allocation(0));
        Map<AllocationId, Long> last = new HashMap<>();
        long seen = 0;
        for (Fact fact : facts.all()) {
            if (fact instanceof Fact.PoolSeen whole) {
                assertThat(whole.revision()).isGreaterThanOrEqualTo(seen);
                seen = whole.revision();
                for (AllocationState state : whole.allocations()) {
                    assertThat(state.revision()).isBetween(last.getOrDefault(state.id(), 0L), seen);
                }
            } else if (fact instanceof Fact.AllocationChanged changed) {
                AllocationState state = changed.state();
                assertThat(state.revision()).isGreaterThan(Math.max(seen, last.getOrDefault(state.id(), 0L)));
                last.put(state.id(), state.revision());
            } else if (fact instanceof Fact.AllocationGone gone) {
                assertThat(gone.revision()).isGreaterThan(Math.max(seen, last.getOrDefault(gone.allocation(), 0L)));
            }
        }
        assertThat(last).containsOnlyKeys(allocation(0).id());
    }

    @Test
    void the_command_of_an_earlier_leader_changes_nothing_also_after_a_restart() {
        Pool p = start();
        running(allocation(0));
        Optional<String> before = executorRun(allocation(0));
        sendAll(p, EPOCH - 1);
        assertThat(settledRun(allocation(0))).isPresent().isEqualTo(before);
        Pool restarted = restart();
        sendAll(restarted, EPOCH - 1);
        assertThat(settledRun(allocation(0))).isEqualTo(before);
        assertThat(facts.all(Fact.AllocationChanged.class))
                .noneMatch(f -> f.state().id().equals(allocation(1).id()));
    }

    private void sendAll(Pool p, long epoch) {
        p.reserve(new Command.Reserve(allocation(1)), epoch);
        p.relaunch(new Command.Relaunch(allocation(0), VERSION, 9), epoch);
        p.kill(new Command.Kill(allocation(0).id()), epoch);
        p.release(new Command.Release(allocation(0).id(), true), epoch);
    }

    @Test
    void a_launch_by_an_earlier_leader_starts_nothing() {
        Pool p = start();
        reserve(allocation(0));
        p.launch(new Command.Launch(allocation(0), VERSION, 1), EPOCH - 1);
        assertThat(settledRun(allocation(0))).isEmpty();
    }

    @Test
    void commands_of_a_later_leader_are_carried_out_and_those_of_the_former_one_are_not() {
        Pool p = start();
        running(allocation(0));
        facts.clear();
        p.kill(new Command.Kill(allocation(0).id()), EPOCH + 1);
        await(allocation(0), RESERVED);
        launch(allocation(0));
        facts.clear();
        p.reserve(new Command.Reserve(allocation(0)), EPOCH + 1);
        await(allocation(0), RESERVED);
        assertThat(executorRun(allocation(0))).isEmpty();
    }

    @Test
    void a_relaunch_ends_the_run_and_starts_another_one_once_for_each_generation() {
        start();
        running(allocation(0));
        writeToVolume(allocation(0), "kept");
        Optional<String> first = executorRun(allocation(0));
        facts.clear();
        relaunch(allocation(0), 2);
        assertThat(await(allocation(0), LAUNCHING).detail()).isNotBlank();
        await(allocation(0), RUNNING);
        Optional<String> second = executorRun(allocation(0));
        assertThat(second).isPresent().isNotEqualTo(first);
        assertThat(readFromVolume(allocation(0))).contains("kept");

        relaunch(allocation(0), 2);
        relaunch(allocation(0), 1);
        assertThat(settledRun(allocation(0))).isEqualTo(second);
        restart();
        relaunch(allocation(0), 2);
        assertThat(settledRun(allocation(0))).isEqualTo(second);
        facts.clear();
        relaunch(allocation(0), 3);
        await(allocation(0), LAUNCHING);
        await(allocation(0), RUNNING);
        assertThat(executorRun(allocation(0))).isPresent().isNotEqualTo(second);
    }

    @Test
    void a_relaunch_launches_what_does_not_run() {
        Pool p = start();
        reserve(allocation(0));
        relaunch(allocation(0), 1);
        await(allocation(0), RUNNING);
        Optional<String> first = executorRun(allocation(0));
        assertThat(first).isPresent();
        crashExecutor(allocation(0));
        await(allocation(0), EXITED);
        facts.clear();
        relaunch(allocation(0), 2);
        await(allocation(0), RUNNING);
        assertThat(executorRun(allocation(0))).isPresent().isNotEqualTo(first);

        facts.clear();
        p.kill(new Command.Kill(allocation(0).id()), EPOCH);
        await(allocation(0), RESERVED);
        relaunch(allocation(0), 2);
        assertThat(settledRun(allocation(0)))
                .as("after the second delivery of a relaunch that was done")
                .isEmpty();
    }

    @Test
    void a_relaunch_without_a_reservation_fails_with_a_problem() {
        start();
        relaunch(allocation(0), 1);
        assertThat(await(allocation(0), FAILED).problem().message()).contains("reserve");
    }

    @Test
    void new_resources_are_in_force_at_once_or_after_a_relaunch_as_the_pool_says() {
        Pool p = start();
        boolean inPlace = capabilities().resizesInPlace();
        assertThat(running(allocation(0)).resources()).isEqualTo(allocation(0).resources());
        Optional<String> run = executorRun(allocation(0));
        Allocation smaller = allocation(0).withResources(LESS);
        facts.clear();
        p.reserve(new Command.Reserve(smaller), EPOCH);
        AllocationState reserved = await(allocation(0), RUNNING);
        assertThat(reserved.allocation()).isEqualTo(smaller);
        assertThat(reserved.resources())
                .isEqualTo(inPlace ? LESS : allocation(0).resources());
        assertThat(executorRun(allocation(0))).isEqualTo(run);
        facts.clear();
        relaunch(smaller, 2);
        assertThat(await(allocation(0), RUNNING).resources()).isEqualTo(LESS);
    }

    @Test
    void a_released_allocation_holds_disk_only() {
        Pool p = start();
        running(allocation(0));
        p.release(new Command.Release(allocation(0).id(), false), EPOCH);
        NodeResources held = await(allocation(0), RELEASED).resources();
        assertThat(held)
                .isEqualTo(new NodeResources(0, 0, 0, allocation(0).resources().diskBytes()));
        restart();
        assertThat(snapshot().allocations())
                .extracting(AllocationState::resources)
                .containsExactly(held);
    }

    @Test
    void a_running_allocation_reports_the_address_at_which_its_executor_is_called() {
        Pool p = start();
        boolean fixed = capabilities().fixedAddress();
        String address = running(allocation(0)).address();
        assertThat(address).isNotBlank();
        assertThat(host(p)).isEqualTo(address);
        Pool restarted = restart();
        assertThat(snapshot().allocations())
                .extracting(AllocationState::address)
                .containsExactly(address);
        assertThat(host(restarted)).isEqualTo(address);

        facts.clear();
        restarted.kill(new Command.Kill(allocation(0).id()), EPOCH);
        assertThat(await(allocation(0), RESERVED).address()).isEqualTo(address);
        launch(allocation(0));
        String next = await(allocation(0), RUNNING).address();
        assertThat(host(restarted)).isEqualTo(next);
        if (fixed) {
            assertThat(next).isEqualTo(address);
        }
    }

    private String host(Pool p) {
        return p.access(allocation(0).id()).orElseThrow().baseUrl().getHost();
    }
}
