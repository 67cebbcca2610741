package io.ringmaster.ports;

import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.spec.NodeResources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** A pool under test, and what each test needs of it. */
public abstract class PoolFixture {
    protected static final Duration LIMIT = Duration.ofSeconds(60);
    /** The epoch of the commands of a test, unless it says another. */
    protected static final long EPOCH = 7;

    protected static final String VERSION = "5.0.9";

    private static final long LAST_EPOCH = 1_000;

    protected final RecordingFactSink facts = new RecordingFactSink();
    /** As durable as the store: the pool of a restarted server gets the same. */
    protected final FakePoolRecords records = new FakePoolRecords();

    private Pool pool;
    private int settled;

    /** Opens the pool of this test method. Opened again after {@code close}, it is the pool of a restarted server. */
    protected abstract Pool open();

    /** An allocation that fits a machine of the pool; the indexes 0 and 1 fit at the same time. */
    protected abstract Allocation allocation(int index);

    /** Identifies one run of an executor, such as by process id and start time; empty if it does not run. */
    protected abstract Optional<String> executorRun(Allocation allocation);

    /** Ends the executor without a command to the pool. */
    protected abstract void crashExecutor(Allocation allocation);

    protected abstract void writeToVolume(Allocation allocation, String text);

    /** The written text; empty if there is no volume or nothing in it. */
    protected abstract Optional<String> readFromVolume(Allocation allocation);

    protected final Pool start() {
        pool = open();
        pool.start(facts, records);
        return pool;
    }

    protected final Pool restart() {
        pool.close();
        facts.clear();
        return start();
    }

    @AfterEach
    final void endEverything() {
        if (pool != null) {
            // The test may have closed the pool, or failed.
            restart();
            facts.clear();
            List<Allocation> all = List.of(allocation(0), allocation(1));
            all.forEach(a -> pool.release(new Command.Release(a.id(), true), LAST_EPOCH));
            all.forEach(this::awaitGone);
            pool.close();
        }
    }

    protected final AllocationState await(Allocation allocation, AllocationState.Status status) {
        return facts.awaitStatus(allocation.id(), status, LIMIT);
    }

    protected final void awaitGone(Allocation allocation) {
        facts.await(Fact.AllocationGone.class, f -> f.allocation().equals(allocation.id()), LIMIT);
    }

    protected final AllocationState reserve(Allocation allocation) {
        pool.reserve(new Command.Reserve(allocation), EPOCH);
        return await(allocation, RESERVED);
    }

    protected final void launch(Allocation allocation) {
        pool.launch(new Command.Launch(allocation, VERSION, 1), EPOCH);
    }

    protected final void relaunch(Allocation allocation, long generation) {
        pool.relaunch(new Command.Relaunch(allocation, VERSION, generation), EPOCH);
    }

    protected final AllocationState running(Allocation allocation) {
        reserve(allocation);
        launch(allocation);
        return await(allocation, RUNNING);
    }

    /** The run, once the pool has carried out all earlier commands for this reserved allocation. */
    protected final Optional<String> settledRun(Allocation allocation) {
        NodeResources all = allocation.resources();
        // each time another heap, which no other report has
        long heap = all.heapBytes() - ++settled;
        Allocation marked =
                allocation.withResources(new NodeResources(all.cpuMillis(), all.memoryBytes(), heap, all.diskBytes()));
        pool.reserve(new Command.Reserve(marked), EPOCH);
        facts.await(Fact.AllocationChanged.class, f -> f.state().allocation().equals(marked), LIMIT);
        return executorRun(allocation);
    }

    protected final Fact.PoolSeen snapshot() {
        return facts.await(Fact.PoolSeen.class, f -> true, LIMIT);
    }

    protected final PoolCapabilities capabilities() {
        return snapshot().capabilities();
    }
}
