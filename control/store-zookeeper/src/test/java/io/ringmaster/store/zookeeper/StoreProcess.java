package io.ringmaster.store.zookeeper;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.ports.SampleRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A server with nothing but its embedded store, in a process of its own, so that it can be killed: commits for ever, and says each
 * commit's number once it is acknowledged. Each commit changes {@code spread} clusters together.
 */
public final class StoreProcess {
    /** ZooKeeper's purge of old snapshots writes lines of its own. */
    static final String ACKNOWLEDGED = "acknowledged ";

    private StoreProcess() {}

    public static void main(String[] args) throws IOException {
        int spread = Integer.parseInt(args[2]);
        EmbeddedZooKeeper server = EmbeddedZooKeeper.start(Path.of(args[0]), 0);
        ZooKeeperSession session = ZooKeeperSession.connect(server, new DatacenterName("dc1"));
        ZooKeeperStore store = new ZooKeeperStore(session);
        store.load();
        long epoch = session.nextEpoch("/ringmaster");
        for (long number = Long.parseLong(args[1]); ; number++) {
            List<Change> changes = new ArrayList<>();
            changes.add(new Change.Put(new AuditRecord(number, Instant.EPOCH, "x".repeat(100), "y", "z")));
            for (int i = 0; i < spread; i++) {
                changes.add(new Change.Put(SampleRecords.cluster("c" + i, number)));
            }
            store.commit(epoch, changes);
            System.out.println(ACKNOWLEDGED + number);
        }
    }
}
