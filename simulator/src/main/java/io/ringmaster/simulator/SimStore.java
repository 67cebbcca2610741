package io.ringmaster.simulator;

import io.ringmaster.json.Json;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.ports.InMemoryStore;
import io.ringmaster.ports.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A server's connection to its datacenter's store. What a new leader loads went through JSON, as in ZooKeeper. */
final class SimStore implements Store {
    private static final double FAILS = 0.02;

    private final SimServer server;
    private final InMemoryStore records;
    private final Mutation plant;
    private final List<Change> notYet = new ArrayList<>();

    SimStore(SimServer server, InMemoryStore records, Mutation plant) {
        this.server = server;
        this.records = records;
        this.plant = plant;
    }

    @Override
    public Collection<StoredRecord> load() {
        server.calls("load");
        return records.load().stream()
                .<StoredRecord>map(r -> Json.parse(Json.text(r), r.getClass()))
                .toList();
    }

    @Override
    public void commit(long epoch, List<Change> changes) {
        server.calls("before commit");
        World world = server.world();
        if (world.faultsOn(Fault.STORE) && world.chance.one(FAILS)) {
            records.failNext(
                    world.chance.one(0.5) ? InMemoryStore.Failure.BEFORE_COMMIT : InMemoryStore.Failure.AFTER_COMMIT);
        }
        if (changes.isEmpty() && plant == Mutation.EPOCH_UNPROVEN) {
            return;
        }
        if (plant == Mutation.PERSIST_AFTER_ACT) {
            List<Change> earlier = List.copyOf(notYet);
            notYet.clear();
            notYet.addAll(changes);
            records.commit(epoch, earlier);
        } else {
            records.commit(epoch, changes);
        }
        server.calls("after commit");
    }

    @Override
    public void close() {}
}
