package io.ringmaster.pool.local;

import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.ports.FakePoolRecords;
import io.ringmaster.ports.RecordingFactSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A local pool of one machine that a test opens, one allocation for it, and the facts that it reports. */
@Timeout(120)
abstract class LocalPoolFixture {
    static final Duration LIMIT = Duration.ofSeconds(60);

    /** Nothing else has room on the machine. */
    static final NodeResources MOST = new NodeResources(3_900, 1L << 29, 1L << 28, 1L << 30);

    @TempDir
    Path state;

    final RecordingFactSink facts = new RecordingFactSink();
    final FakePoolRecords records = new FakePoolRecords();
    final Allocation allocation = LocalPoolTest.allocationOn(LocalPoolTest.machine(1), 0);
    LocalPool pool;

    final void open(Path directory, ExecutorProgram program, boolean accept) {
        pool = new LocalPool(new LocalPoolSettings(
                directory, List.of(LocalPoolTest.machine(1)), program, Addresses.MACHINE, LocalPoolTest.PLAIN, accept));
        pool.start(facts, records);
    }

    final void open(Path directory) {
        open(directory, StandInExecutor.WITH_DAEMON, false);
    }

    final void open(ExecutorProgram program) {
        open(state, program, false);
    }

    final void open() {
        open(state);
    }

    @AfterEach
    final void close() {
        if (pool != null) {
            pool.close();
        }
    }

    final AllocationFolder folder(Path directory) {
        return new AllocationFolder(
                directory.resolve("allocations").resolve(allocation.id().value()));
    }

    final AllocationFolder folder() {
        return folder(state);
    }

    final AllocationState await(AllocationState.Status status) {
        return facts.awaitStatus(allocation.id(), status, LIMIT);
    }

    final void reserve() {
        pool.reserve(new Command.Reserve(allocation), 1);
        await(RESERVED);
    }

    final AllocationState launch(AllocationState.Status expected) {
        pool.launch(new Command.Launch(allocation, "5.0.9", 1), 1);
        return await(expected);
    }

    final void release(long epoch) {
        facts.clear();
        pool.release(new Command.Release(allocation.id(), true), epoch);
        facts.await(Fact.AllocationGone.class, f -> f.allocation().equals(allocation.id()), LIMIT);
    }

    final void release() {
        release(1);
    }

    final void assertThatAnotherFits() {
        Allocation another = LocalPoolTest.allocationOn(LocalPoolTest.machine(1), 1);
        pool.reserve(new Command.Reserve(another), 1);
        facts.awaitStatus(another.id(), RESERVED, LIMIT);
    }
}
