package io.ringmaster.simulator.datacenter;

import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.ports.Store;
import io.ringmaster.simulator.fault.Fault;
import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.world.World;
import io.ringmaster.store.memory.InMemoryStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A server's connection to the store of its datacenter. A new leader loads records that went through JSON, as in
 * ZooKeeper.
 */
final class SimStore implements Store {
    private static final double FAILS = 0.02;

    private final ServerProcess process;
    private final World world;
    private final InMemoryStore records;
    private final List<Change> delayed = new ArrayList<>();

    SimStore(ServerProcess process, World world) {
        this.process = process;
        this.world = world;
        this.records = world.store(process.datacenter());
    }

    @Override
    public Collection<StoredRecord> load() {
        process.call("load");
        return records.load().stream().map(world::throughJson).toList();
    }

    @Override
    public void commit(long epoch, List<Change> changes) {
        process.call("before commit");
        if (world.has(Fault.STORE) && world.random().chance(FAILS)) {
            records.failNext(
                    world.random().chance(0.5)
                            ? InMemoryStore.Failure.BEFORE_COMMIT
                            : InMemoryStore.Failure.AFTER_COMMIT);
        }
        if (changes.isEmpty() && world.planted() == Mutation.EPOCH_UNCHECKED) {
            return;
        }
        if (world.planted() == Mutation.ACT_BEFORE_PERSIST) {
            List<Change> earlier = List.copyOf(delayed);
            delayed.clear();
            delayed.addAll(changes);
            records.commit(epoch, earlier);
        } else {
            records.commit(epoch, changes);
        }
        process.call("after commit");
    }

    @Override
    public PoolRecords poolRecords(long epoch) {
        return records.poolRecords(epoch);
    }

    @Override
    public void close() {}
}
