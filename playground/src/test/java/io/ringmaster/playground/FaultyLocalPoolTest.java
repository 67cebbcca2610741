package io.ringmaster.playground;

import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.playground.process.Processes;
import io.ringmaster.pool.base.Doors;
import io.ringmaster.pool.local.Addresses;
import io.ringmaster.pool.local.LocalPool;
import io.ringmaster.pool.local.LocalPoolSettings;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.FakeAuthorities;
import io.ringmaster.ports.FakePoolRecords;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.PoolFactory;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.RecordingFactSink;
import io.ringmaster.ports.SampleRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On a real local pool, whose executor is a shell that looks like one. */
@Timeout(180)
class FaultyLocalPoolTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Machine MACHINE = new Machine(
            new MachineName("machine-2"),
            SampleRecords.R1,
            "127.1.9.2",
            4_000,
            4L << 30,
            40L << 30,
            new PortRange(7000, 9999),
            false);
    private static final Allocation ALLOCATION = new Allocation(
            new AllocationId("rides-dc1-node-1"),
            new NodeId(SampleRecords.RIDES, SampleRecords.DC1, 1),
            MACHINE.name(),
            new NodePorts(7000, 7001, 9042, 9500),
            SampleRecords.RESOURCES);

    private static final long EPOCH = 3;

    private final RecordingFactSink facts = new RecordingFactSink();
    private final FakePoolRecords records = new FakePoolRecords();

    @TempDir
    Path home;

    private FaultyLocalPool pool;

    @BeforeEach
    void start() {
        var local = new LocalPool(new LocalPoolSettings(
                state(),
                List.of(MACHINE),
                (start, progress) -> List.of(
                        "sh",
                        "-c",
                        "while :; do sleep 1; done",
                        "io.ringmaster.executor.ExecutorMain",
                        start.directory().toString()),
                Addresses.MACHINE,
                new Doors(new FakeAuthorities(SampleRecords.DC1), false, Instant::now),
                false));
        pool = new FaultyLocalPool(local, state());
        pool.start(facts, records);
    }

    @AfterEach
    void endEverything() {
        facts.clear();
        pool.release(new Command.Release(ALLOCATION.id(), true), EPOCH);
        facts.await(Fact.AllocationGone.class, f -> f.allocation().equals(ALLOCATION.id()), LIMIT);
        pool.close();
    }

    @Test
    void revisions_grow_whatever_reports_come_from_this_pool_or_the_wrapped_one() throws IOException {
        running();
        Files.createDirectories(killed());
        await(FAILED);
        machines(0);
        pool.kill(new Command.Kill(ALLOCATION.id()), EPOCH);
        Files.delete(killed());
        machines(1);
        long last = 0;
        for (Fact fact : facts.all()) {
            if (fact instanceof Fact.PoolSeen seen) {
                assertThat(seen.revision()).isGreaterThanOrEqualTo(last);
                last = seen.revision();
                assertThat(seen.capabilities()).isEqualTo(PoolCapabilities.OF_MACHINES);
            } else if (fact instanceof Fact.AllocationChanged changed) {
                assertThat(changed.state().revision()).isGreaterThan(last);
                last = changed.state().revision();
            }
        }
    }

    @Test
    void a_machine_that_was_killed_while_no_server_ran_has_its_processes_ended_before_any_command() throws Exception {
        running();
        pool.close();
        Files.createDirectories(killed());
        facts.clear();
        start();
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!Processes.below(state()).isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(50);
        }
        assertThat(Processes.below(state())).isEmpty();
    }

    @Test
    void a_kill_that_was_refused_is_repeated() throws Exception {
        var refused = new CountDownLatch(3);
        var deaf = new DeafPool(refused::countDown);
        Path other = home.resolve("dc2");
        var faulty = new FaultyLocalPool(deaf, other);
        Files.createDirectories(
                FaultyLocalPool.killed(other).resolve(MACHINE.name().value()));
        faulty.start(facts, records);
        try {
            assertThat(refused.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            faulty.close();
        }
    }

    /** Its one allocation runs, whatever is sent. */
    private record DeafPool(Runnable onKill) implements Pool {
        @Override
        public void start(FactSink sink, PoolRecords records) {
            AllocationState runs = AllocationState.of(ALLOCATION, AllocationState.Status.RUNNING, Instant.EPOCH, 1);
            sink.accept(new Fact.PoolSeen(List.of(MACHINE), List.of(runs), PoolCapabilities.OF_MACHINES, 1));
        }

        @Override
        public void reserve(Command.Reserve command, long epoch) {}

        @Override
        public void launch(Command.Launch command, long epoch) {}

        @Override
        public void relaunch(Command.Relaunch command, long epoch) {}

        @Override
        public void kill(Command.Kill command, long epoch) {
            onKill.run();
        }

        @Override
        public void release(Command.Release command, long epoch) {}

        @Override
        public Optional<ExecutorAccess> access(AllocationId allocation) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }

    private Path state() {
        return home.resolve("dc1");
    }

    private Path killed() {
        return FaultyLocalPool.killed(state()).resolve(MACHINE.name().value());
    }

    private AllocationState await(AllocationState.Status status) {
        return facts.awaitStatus(ALLOCATION.id(), status, LIMIT);
    }

    private Problem awaitFailure() {
        Problem problem = await(FAILED).problem();
        assertThat(problem).isNotNull();
        return problem;
    }

    private void running() {
        pool.reserve(new Command.Reserve(ALLOCATION), EPOCH);
        await(RESERVED);
        launch();
        await(RUNNING);
    }

    private void launch() {
        pool.launch(new Command.Launch(ALLOCATION, "5.0.9", 1), EPOCH);
    }

    private Fact.PoolSeen machines(int count) {
        return facts.await(Fact.PoolSeen.class, f -> f.machines().size() == count, LIMIT);
    }

    @Test
    void a_server_finds_it_by_its_name() {
        assertThat(PoolFactory.all()).containsKeys("local", "playground");
    }

    @Test
    void a_killed_machine_is_not_offered_and_its_processes_are_ended() throws Exception {
        running();
        facts.clear();
        Files.createDirectories(killed());
        Problem problem = awaitFailure();
        assertThat(problem.code()).isEqualTo(ErrorCode.MACHINE_LOST);
        assertThat(problem.nextStep()).hasToString("revive it: ringmaster playground revive dc1/machine-2");
        assertThat(machines(0).allocations())
                .extracting(AllocationState::status)
                .containsExactly(FAILED);
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!Processes.below(state()).isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(50);
        }
        assertThat(Processes.below(state())).isEmpty();
        assertThat(state().resolve("allocations/rides-dc1-node-1/volume")).exists();
    }

    @Test
    void nothing_starts_on_a_killed_machine_until_it_is_revived() throws IOException {
        pool.reserve(new Command.Reserve(ALLOCATION), EPOCH);
        await(RESERVED);
        Files.createDirectories(killed());
        facts.clear();
        launch();
        assertThat(awaitFailure().code()).isEqualTo(ErrorCode.MACHINE_LOST);
        pool.close();
        facts.clear();
        start();
        Fact.PoolSeen seen = facts.await(Fact.PoolSeen.class, f -> true, LIMIT);
        assertThat(seen.machines())
                .as("offered by a server that was started later")
                .isEmpty();
        facts.clear();
        Files.delete(killed());
        await(RESERVED);
        machines(1);
        launch();
        await(RUNNING);
    }

    @Test
    void a_kill_of_the_controller_is_carried_out_and_reported_although_the_machine_is_lost() throws IOException {
        running();
        Files.createDirectories(killed());
        await(FAILED);
        machines(0);
        facts.clear();
        pool.kill(new Command.Kill(ALLOCATION.id()), EPOCH);
        await(RESERVED);
        assertThat(pool.access(ALLOCATION.id())).isPresent();
    }
}
