import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.ports.Leadership;
import io.ringmaster.store.zookeeper.EmbeddedZooKeeper;
import io.ringmaster.store.zookeeper.ZooKeeperLeadership;
import io.ringmaster.store.zookeeper.ZooKeeperSession;
import io.ringmaster.store.zookeeper.ZooKeeperStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Measures how long a new leader loads its records from a real ZooKeeper on disk. */
final class Kept {
    private static final int RECORDS_A_COMMIT = 500;

    private Kept() {}

    static double seconds(Collection<StoredRecord> records) throws Exception {
        Path directory = Files.createTempDirectory("ringmaster-fleet");
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(directory, 0);
                ZooKeeperSession session = ZooKeeperSession.connect(server, SampleFleet.DATACENTER)) {
            keep(session, List.copyOf(records));
            long began = System.nanoTime();
            int loaded = new ZooKeeperStore(session).load().size();
            double seconds = (System.nanoTime() - began) / 1e9;
            if (loaded != records.size()) {
                throw new IllegalStateException("stored " + records.size() + " records, loaded " + loaded);
            }
            return seconds;
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
            }
        }
    }

    private static void keep(ZooKeeperSession session, List<StoredRecord> records) throws Exception {
        CompletableFuture<Long> epoch = new CompletableFuture<>();
        try (Leadership leadership = new ZooKeeperLeadership(session, "http://127.0.0.1:8080")) {
            leadership.start(new Leadership.Listener() {
                @Override
                public void onElected(long elected) {
                    epoch.complete(elected);
                }

                @Override
                public void onLost() {}
            });
            ZooKeeperStore store = new ZooKeeperStore(session);
            long elected = epoch.get(30, TimeUnit.SECONDS);
            for (int i = 0; i < records.size(); i += RECORDS_A_COMMIT) {
                store.commit(
                        elected,
                        records.subList(i, Math.min(records.size(), i + RECORDS_A_COMMIT)).stream()
                                .<Change>map(Change.Put::new)
                                .toList());
            }
        }
    }
}
