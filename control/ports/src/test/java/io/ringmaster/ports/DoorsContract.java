package io.ringmaster.ports;

import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.fleet.Allocation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every pool does that gives doors to its executors. */
@Timeout(180)
public abstract class DoorsContract extends PoolFixture {
    protected static final AuthorityName CONTROL = AuthorityName.control(SampleRecords.DC1, 1);

    protected final FakeAuthorities authorities = new FakeAuthorities(SampleRecords.DC1);
    /** Whether {@link #open} opens a pool that gives doors to all executors. */
    protected boolean doors = true;

    /** The files that the executor of this allocation finds; empty if there are none. */
    protected abstract Optional<DoorFiles> door(Allocation allocation);

    /** Waits until the condition holds; a pool looks at its doors every few seconds. */
    private void awaitDoor(Allocation allocation, DoorFiles before) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (door(allocation).equals(Optional.of(before)) && System.nanoTime() < end) {
            LockSupport.parkNanos(20_000_000);
        }
        assertThat(door(allocation)).isPresent().isNotEqualTo(Optional.of(before));
    }

    private Pool startWithDoors() {
        authorities.make(CONTROL);
        return start();
    }

    @Test
    void an_executor_is_launched_with_a_door_of_its_own() {
        Pool p = startWithDoors();
        running(allocation(0));
        running(allocation(1));
        for (Allocation each : List.of(allocation(0), allocation(1))) {
            ExecutorAccess access = p.access(each.id()).orElseThrow();
            assertThat(access.baseUrl().getScheme()).isEqualTo("https");
            assertThat(access.door()).isEqualTo(each.id());
            assertThat(access.token()).isNotBlank();
            assertThat(authorities.renewal(each.id(), door(each).orElseThrow())).isEqualTo(Instant.MAX);
        }
    }

    @Test
    void an_executor_that_runs_gets_a_door_at_its_next_launch() {
        doors = false;
        startWithDoors();
        running(allocation(0));
        doors = true;
        Pool p = restart();
        assertThat(p.access(allocation(0).id()).orElseThrow().door()).isNull();
        launch(allocation(0));
        settledRun(allocation(0));
        assertThat(p.access(allocation(0).id()).orElseThrow().door()).isNull();
        facts.clear();
        relaunch(allocation(0), 2);
        await(allocation(0), RUNNING);
        assertThat(p.access(allocation(0).id()).orElseThrow().door())
                .isEqualTo(allocation(0).id());
    }

    @Test
    void a_door_is_never_taken_away() {
        startWithDoors();
        running(allocation(0));
        doors = false;
        Pool p = restart();
        assertThat(p.access(allocation(0).id()).orElseThrow().door())
                .isEqualTo(allocation(0).id());
        facts.clear();
        relaunch(allocation(0), 2);
        await(allocation(0), RUNNING);
        assertThat(p.access(allocation(0).id()).orElseThrow().door())
                .isEqualTo(allocation(0).id());
    }

    @Test
    void a_door_is_renewed_while_the_executor_runs() {
        startWithDoors();
        running(allocation(0));
        Optional<String> run = executorRun(allocation(0));
        DoorFiles before = door(allocation(0)).orElseThrow();
        authorities.ageDoors();
        awaitDoor(allocation(0), before);
        assertThat(executorRun(allocation(0))).isEqualTo(run);
    }

    @Test
    void a_door_that_has_ended_while_no_server_ran_is_renewed_by_the_next_one() {
        Pool p = startWithDoors();
        running(allocation(0));
        DoorFiles before = door(allocation(0)).orElseThrow();
        p.close();
        authorities.ageDoors();
        start();
        awaitDoor(allocation(0), before);
    }

    @Test
    void nothing_is_launched_while_there_is_no_door_to_be_had() {
        Pool p = start();
        reserve(allocation(0));
        launch(allocation(0));
        assertThat(await(allocation(0), FAILED).problem().message()).contains("control dc1 1");
        assertThat(executorRun(allocation(0))).isEmpty();
        authorities.make(CONTROL);
        facts.clear();
        launch(allocation(0));
        await(allocation(0), RUNNING);
        assertThat(p.access(allocation(0).id()).orElseThrow().door())
                .isEqualTo(allocation(0).id());
    }
}
