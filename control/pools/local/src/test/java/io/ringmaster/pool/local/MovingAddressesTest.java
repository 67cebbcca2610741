package io.ringmaster.pool.local;

import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.SampleRecords;
import org.junit.jupiter.api.Test;

/** The local pool with another address at every launch. */
class MovingAddressesTest extends LocalPoolTest {
    @Override
    Addresses addresses() {
        return Addresses.LAUNCH;
    }

    /** All have the same ports. */
    @Override
    protected Allocation allocation(int index) {
        Allocation first = allocationOn(machine(1), 0);
        return index == 0
                ? first
                : new Allocation(
                        new AllocationId("rides-dc1-node-" + index + "-1"),
                        new NodeId(SampleRecords.RIDES, SampleRecords.DC1, index),
                        first.machine(),
                        first.ports(),
                        first.resources());
    }

    @Test
    void machines_have_no_address_and_each_run_has_another_one() {
        Pool p = start();
        assertThat(snapshot().machines()).extracting(Machine::address).containsOnlyNulls();
        assertThat(capabilities().fixedAddress()).isFalse();
        assertThat(reserve(allocation(0)).address()).isNull();
        assertThat(p.access(allocation(0).id())).isEmpty();
        launch(allocation(0));
        assertThat(await(allocation(0), RUNNING).address()).isEqualTo("127.73.1.1");
        assertThat(running(allocation(1)).address()).isEqualTo("127.73.1.2");
        facts.clear();
        relaunch(allocation(0), 2);
        assertThat(await(allocation(0), RUNNING).address()).isEqualTo("127.73.1.3");
        restart();
        assertThat(snapshot().allocations())
                .extracting(AllocationState::address)
                .containsExactly("127.73.1.3", "127.73.1.2");
        facts.clear();
        relaunch(allocation(0), 3);
        assertThat(await(allocation(0), RUNNING).address()).isEqualTo("127.73.1.4");
    }

    @Test
    void a_daemon_that_outlives_its_executor_keeps_its_address() {
        Pool p = start();
        String address = running(allocation(0)).address();
        StandInExecutor.awaitDaemon(folder(allocation(0)));
        crashExecutor(allocation(0));
        await(allocation(0), EXITED);
        facts.clear();
        launch(allocation(0));
        assertThat(await(allocation(0), RUNNING).address()).isEqualTo(address);
        facts.clear();
        p.kill(new Command.Kill(allocation(0).id()), EPOCH);
        await(allocation(0), RESERVED);
        launch(allocation(0));
        assertThat(await(allocation(0), RUNNING).address()).isNotEqualTo(address);
    }
}
