package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.LockState;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * What goes wrong with backups of one node on a real S3 server: each failure names the thing and the next step, loses
 * nothing and leaves nothing behind. The sentences are those of docs/backup.md.
 */
@RealNodes
@Tag("cassandra")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BackupFailuresTest {
    private static final Duration SOON = ServingDatacenter.SOON;
    private static final ClusterName RESTORED = new ClusterName("rides2");
    private static final String BUCKET = "backups";
    private static final int PHOTOS = 24;
    private static final int PHOTO_BYTES = 64 << 10;
    /** Less than the photos take. */
    private static final long TOO_SMALL_KIB = 700;

    private static final List<AutoCloseable> open = new ArrayList<>();
    private static Playground playground;
    private static S3Server store;
    private static S3Gate gate;

    @BeforeAll
    static void a_node_with_rows_and_a_store() throws Exception {
        Assumptions.assumeTrue(S3Server.isBuilt(), "no versitygw in .build -> ./dev versitygw");
        Assumptions.assumeTrue(SmallMount.isPermitted(), "this user may not mount a small file system");
        playground = opened(Playground.up("--datacenters", "1", "--nodes", "1"));
        Path folder = Playground.HOME.resolve("s3");
        SmallMount.run("rm", "-rf", folder.toString());
        Files.createDirectories(folder.resolve(BUCKET));
        store = opened(S3Server.on(folder));
        gate = opened(S3Gate.before(store));
        S3Server.addLocation(playground, "main", BUCKET, gate.port());
        try (CqlSession session = Playground.session(playground.whole(1, SOON), "dc1")) {
            Ddl.execute(
                    session, "CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':1}");
            Ddl.execute(session, "CREATE TABLE trips.photo (id int PRIMARY KEY, bytes blob)");
            for (int id = 0; id < PHOTOS; id++) {
                session.execute(SimpleStatement.newInstance(
                        "INSERT INTO trips.photo (id, bytes) VALUES (?, ?)", id, photo(id)));
            }
        }
    }

    private static <T extends AutoCloseable> T opened(T closeable) {
        open.add(0, closeable);
        return closeable;
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void a_wrong_secret_key_is_named() {
        S3Server.addLocationWithWrongKey(playground, "wrong-key", BUCKET, store.port);
        failsAt("wrong-key", "wrong-key (s3://backups/test) refuses the access key ...ey", "SignatureDoesNotMatch");
    }

    @Test
    @Order(2)
    void a_missing_bucket_is_named() {
        S3Server.addLocation(playground, "no-bucket", "missing", store.port);
        failsAt("no-bucket", "no-bucket (s3://missing/test): the bucket does not exist");
    }

    @Test
    @Order(3)
    void a_clock_that_is_20_minutes_off_is_named() {
        S3Gate other = opened(S3Gate.withOtherClock());
        S3Server.addLocation(playground, "other-clock", BUCKET, other.port());
        failsAt(
                "other-clock",
                "the clock of this machine is ",
                " min ",
                " behind other-clock (s3://backups/test), which refuses its requests -> set its clock");
    }

    /** Nothing is asked of it before the upload: the server can list a full store. */
    @Test
    @Order(4)
    void a_full_store_is_named() throws IOException {
        Path folder = Playground.HOME.resolve("s3-full");
        opened(SmallMount.at(folder, TOO_SMALL_KIB));
        Files.createDirectories(folder.resolve(BUCKET));
        S3Server full = opened(S3Server.on(folder));
        S3Server.addLocation(playground, "full", BUCKET, full.port);
        assertThat(refused("backup", "create", "rides", "--to", "full", "--yes", "--wait"))
                .contains("full (s3://backups/test): put ")
                .contains("No space left on device");
        nothingIsLeft();
        assertThat(backups("full")).isEmpty();
    }

    private static void failsAt(String location, String... sentence) {
        assertThat(refused("backup", "location", "check", location)).contains(sentence);
        assertThat(refused("backup", "create", "rides", "--to", location, "--yes", "--wait"))
                .contains(sentence);
        nothingIsLeft();
    }

    @Test
    @Order(5)
    void the_next_good_backup_works_and_two_at_once_wait_for_each_other() {
        playground.run("backup", "create", "rides", "--to", "main", "--bandwidth", "128KiB/s", "--yes");
        playground.run("backup", "create", "rides", "--to", "main", "--yes");
        List<LockState> locks = Patience.until(
                "the second to wait for the first",
                SOON,
                () -> playground.status().locks(),
                l -> l.stream().anyMatch(LockState::holds) && l.stream().anyMatch(lock -> !lock.holds()));
        System.out.println(locks);
        Patience.until("both", SOON, () -> backups("main"), both -> both.size() == 2);
        Patience.until("their end", SOON, () -> playground.status().locks(), List::isEmpty);
        assertThat(backups("main").get(0).newBytes())
                .as("what the second sent")
                .isLessThan(backups("main").get(1).newBytes());
        nothingIsLeft();
    }

    @Test
    @Order(6)
    void a_manifest_that_is_cut_is_named_and_the_others_can_be_used() throws IOException {
        String good = backups("main").get(0).id();
        playground.run("backup", "create", "rides", "--to", "main", "--yes", "--wait");
        Path manifest = store.newestManifest(BUCKET);
        String cut = manifest.getFileName().toString().replace(".json", "");
        assertThat(cut).isGreaterThan(good);
        byte[] before = Files.readAllBytes(manifest);
        Files.write(manifest, Arrays.copyOf(before, before.length / 2));
        try {
            String damaged = cut + ".json is damaged: its .ok has another hash";
            String list = playground.run("backup", "list", "rides");
            assertThat(list).contains(good).contains(damaged);
            assertThat(refused("restore", "start", "rides", "--as", "rides2", "--backup", cut, "--yes", "--wait"))
                    .contains(cut);
            assertThat(refused("backup", "verify", "rides", "--from", "main", "--backup", cut, "--yes", "--wait"))
                    .contains(damaged);
            playground.run("restore", "start", "rides", "--as", "rides2", "--backup", good, "--dry-run");
            playground.run("backup", "create", "rides", "--to", "main", "--yes", "--wait");
            nothingIsLeft();
        } finally {
            Files.write(manifest, before);
        }
        assertThat(backups("main")).hasSize(4);
    }

    @Test
    @Order(7)
    void a_backup_of_another_cluster_is_named() throws IOException {
        String id = backups("main").get(0).id();
        assertThat(refused("restore", "start", "eats", "--as", "eats2", "--backup", id, "--yes"))
                .contains("eats has no backup " + id)
                .contains("backup list eats");
        Path rides =
                store.object(BUCKET, "/backups/" + id + ".json").getParent().getParent();
        Path eats = rides.getParent().resolveSibling("eats").resolve(rides.getFileName());
        Files.createDirectories(eats.getParent());
        SmallMount.run("cp", "-a", rides.toString(), eats.toString());
        try {
            assertThat(refused("restore", "start", "eats", "--as", "eats2", "--backup", id, "--yes"))
                    .contains("belongs to rides");
        } finally {
            SmallMount.run("rm", "-rf", eats.getParent().toString());
        }
        assertThat(playground.client("dc1").clusters(Scope.LOCAL).items()).hasSize(1);
    }

    @Test
    @Order(8)
    void a_flipped_blob_is_named_and_its_table_is_not_imported() throws IOException {
        String id = backups("main").get(0).id();
        Path blob = store.largestBlob(BUCKET);
        flip(blob);
        try {
            assertThat(refused(verify(id)))
                    .contains("1 blobs in main are damaged")
                    .contains("-Data.db of trips.photo of dc1.node-0: hash differs");
            assertThat(refused("restore", "start", "rides", "--as", "rides2", "--backup", id, "--yes", "--wait"))
                    .contains("-Data.db of trips.photo: hash differs in main");
            assertThat(playground.client("dc1").status(RESTORED, Scope.FLEET).created())
                    .isFalse();
            Patience.until("the programs to end", SOON, playground::transfers, List::isEmpty);
            assertThat(store.objects(BUCKET, "/readers/"))
                    .as("marks, the node's gone")
                    .singleElement()
                    .asString()
                    .endsWith("/rides2.dc1");
        } finally {
            flip(blob);
        }
        playground.run(verify(id));
    }

    private static String[] verify(String id) {
        return new String[] {
            "backup", "verify", "rides", "--from", "main", "--backup", id, "--level", "bytes", "--yes", "--wait"
        };
    }

    private static void flip(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 4;
        Files.write(file, bytes);
    }

    @Test
    @Order(9)
    void a_disk_that_fills_in_the_middle_of_a_restore_is_named_and_the_restore_continues() throws Exception {
        Plan plan = plan();
        String id = backups("main").get(0).id();
        Path trips = playground.allocation(RESTORED, "dc1", 0).resolve("volume/restore/" + id + "/trips");
        gate.hold();
        playground.run("plan", "retry", plan.id().toString());
        gate.awaitHeld(SOON);
        SmallMount full = SmallMount.at(trips, TOO_SMALL_KIB);
        try (full) {
            gate.release();
            Plan failed =
                    Patience.until("the restore to fail", SOON, () -> plan(), p -> p.status() == PlanStatus.FAILED);
            System.out.println(failed.problem());
            assertThat(String.valueOf(failed.problem()))
                    .contains("the volume of rides2/dc1/node-0 has no room left: No space left on device");
        }
        playground.run("plan", "retry", plan.id().toString());
        ClusterStatus restored = playground.restored(RESTORED, 1, SOON);
        try (CqlSession session = Playground.session(restored, "dc1")) {
            for (int row = 0; row < PHOTOS; row++) {
                assertThat(session.execute("SELECT bytes FROM trips.photo WHERE id = " + row)
                                .one()
                                .getByteBuffer(0))
                        .as("photo " + row)
                        .isEqualTo(photo(row));
            }
        }
        Patience.until("the servers' mark to go, too", SOON, () -> store.objects(BUCKET, "/readers/"), List::isEmpty);
    }

    private static Plan plan() {
        return playground.client("dc1").plans(RESTORED).items().stream()
                .max(Comparator.comparing(Plan::id))
                .orElseThrow();
    }

    /** No snapshot, no program, no lock, and no file of the data below {@code volume/backup}. */
    private static void nothingIsLeft() {
        Patience.until("the programs to end", SOON, playground::transfers, List::isEmpty);
        assertThat(playground.status().locks()).as("locks").isEmpty();
        Path volume = playground.allocation("dc1", 0).resolve("volume");
        Patience.until(
                "the links of the snapshot to go",
                Duration.ofSeconds(20),
                () -> files(volume).filter(f -> f.contains("/ringmaster-2")).toList(),
                List::isEmpty);
        assertThat(files(volume.resolve("backup")).filter(f -> !f.matches(".*\\.(json|jsonl|json\\.gz|lock)")))
                .as("files below volume/backup")
                .isEmpty();
    }

    private static Stream<String> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).map(Path::toString).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String refused(String... command) {
        Playground.Result result = Playground.attempt(List.of(command));
        System.out.println(List.of(command) + " -> " + result.exit() + ":\n" + result.output());
        assertThat(result.exit()).as(result.output()).isNotZero();
        return result.output().replaceAll("\\s+", " ");
    }

    /** The newest first. */
    private static List<BackupInfo> backups(String location) {
        return playground.client("dc1").backups(location, Playground.RIDES);
    }

    /** Bytes that cannot be compressed. */
    private static ByteBuffer photo(int id) {
        byte[] bytes = new byte[PHOTO_BYTES];
        new Random(id).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }
}
