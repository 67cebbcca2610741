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
 * A process with an embedded store that can be killed: commits in an endless loop and prints the number of each
 * acknowledged commit. Each commit changes the given number of clusters together.
 */
public final class StoreProcess {
    /** Marks the lines of this process, because ZooKeeper's purge of old snapshots prints lines too. */
    static final String ACKNOWLEDGED = "acknowledged ";

    private StoreProcess() {}

    public static void main(String[] args) throws IOException {
        int clusters = Integer.parseInt(args[2]);
        EmbeddedZooKeeper server = EmbeddedZooKeeper.start(Path.of(args[0]), 0);
        ZooKeeperSession session = ZooKeeperSession.connect(server, new DatacenterName("dc1"));
        ZooKeeperStore store = new ZooKeeperStore(session);
        store.load();
        long epoch = session.nextEpoch("/ringmaster");
        for (long number = Long.parseLong(args[1]); ; number++) {
            List<Change> changes = new ArrayList<>();
            changes.add(new Change.Put(new AuditRecord(number, Instant.EPOCH, "x".repeat(100), "y", "z", null)));
            for (int i = 0; i < clusters; i++) {
                changes.add(new Change.Put(SampleRecords.cluster("c" + i, number)));
            }
            store.commit(epoch, changes);
            System.out.println(ACKNOWLEDGED + number);
        }
    }
}
