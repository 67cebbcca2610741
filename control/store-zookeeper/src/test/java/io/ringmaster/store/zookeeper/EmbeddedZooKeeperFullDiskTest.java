package io.ringmaster.store.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.host.SmallFileSystem;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.ports.SampleRecords;
import io.ringmaster.ports.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The embedded ZooKeeper on a small file system, which the test fills. */
@Timeout(180)
class EmbeddedZooKeeperFullDiskTest {
    @TempDir
    Path directory;

    private SmallFileSystem disk;

    @BeforeEach
    void mount() throws IOException {
        disk = SmallFileSystem.at(Files.createDirectories(directory.resolve("small")), 24);
    }

    @AfterEach
    void unmount() throws IOException {
        if (disk != null) {
            disk.close();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the limit of a minute").isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** Commits until the store fails, and returns how many commits it has acknowledged. */
    private static int commitUntilItFails(ZooKeeperStore store, long epoch) {
        for (int i = 0; i < 10_000; i++) {
            try {
                store.commit(epoch, List.of(new Change.Put(SampleRecords.cluster("c" + i, 1))));
            } catch (StoreUnavailableException e) {
                return i;
            }
        }
        throw new AssertionError("a full disk took every record");
    }

    @Test
    void it_names_the_full_disk_and_runs_again_with_every_record_once_there_is_room() throws Exception {
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(disk.folder().resolve("zookeeper"), 0);
                ZooKeeperSession session = ZooKeeperSession.connect(server, new DatacenterName("dc1"));
                ZooKeeperStore store = new ZooKeeperStore(session)) {
            long epoch = Sessions.elect(session);
            disk.fill("filler");
            int acknowledged = commitUntilItFails(store, epoch);
            await(() -> server.trouble()
                    .filter(p -> p.line().contains("no room at " + disk.folder().resolve("zookeeper")))
                    .isPresent());
            assertThat(server.trouble().orElseThrow().nextStep()).asString().contains("make room there");

            Files.delete(disk.folder().resolve("filler"));
            await(() -> server.trouble().isEmpty());
            assertThat(store.load().size()).isBetween(acknowledged, acknowledged + 1);
            store.commit(epoch, List.of(new Change.Put(SampleRecords.cluster("later", 1))));
            assertThat(store.load()).hasSizeGreaterThan(acknowledged);
        }
    }
}
