package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.ClusterStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Backups of a datacenter of three nodes into a folder, under steady reads and writes at LOCAL_QUORUM. */
@RealNodes
@Tag("cassandra")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BackupTest {
    private static final Duration SOON = ServingDatacenter.SOON;
    private static final int PHOTOS = 48;
    private static final int PHOTO_BYTES = 64 * 1024;
    private static final ClusterName RESTORED = new ClusterName("rides2");
    /** Backups outlive a playground: those of earlier runs are there, too. */
    private static Instant start;

    private static final Playground playground = Playground.attached();

    @RegisterExtension
    static final ServingDatacenter rides = new ServingDatacenter();

    @BeforeAll
    static void start() {
        start = Instant.now();
    }

    @Test
    @Order(1)
    void a_backup_has_the_data_of_every_node() {
        photographs();
        playground.run("backup", "location", "check", "local", "--cluster", "rides");
        String output = playground.run("backup", "create", "rides", "--to", "local", "--yes", "--wait");
        BackupInfo backup = newest();
        assertThat(output).contains(backup.id());
        assertThat(backup.nodes()).isEqualTo(3);
        assertThat(backup.newBytes()).isBetween((long) PHOTOS * PHOTO_BYTES, backup.bytes());
        assertThat(playground.run("backup", "list", "rides")).contains(backup.id());
        assertThat(playground.run("backup", "show", "rides")).contains("dc1/node-0", "dc1/node-1", "dc1/node-2");
    }

    @Test
    @Order(2)
    void what_an_earlier_backup_sent_is_not_sent_again() {
        playground.run("backup", "create", "rides", "--to", "local", "--yes", "--wait");
        assertThat(backups()).hasSize(2);
        assertThat(newest().newBytes()).isLessThan(newest().bytes() / 4);
        verifyNewest();
    }

    @Test
    @Order(3)
    void a_backup_outlives_its_programs_the_executors_and_the_server() {
        photographs();
        playground.run("backup", "create", "rides", "--to", "local", "--bandwidth", "256KiB/s", "--yes");
        Plan plan = newestPlan();
        Processes.kill9(transfer(0));
        transfer(1);
        Processes.kill9(playground.executor("dc1", 1));
        transfer(2);
        DeadServer.of(playground, "dc1").comesBack();
        Patience.until(
                plan.id() + " to be complete",
                SOON,
                () -> playground.client("dc1").plan(plan.id()),
                p -> p.status() == PlanStatus.COMPLETE);
        assertThat(backups()).hasSize(3);
        verifyNewest();
    }

    @Test
    @Order(4)
    void what_cannot_work_is_refused_by_name_and_no_snapshot_is_left() throws IOException {
        assertThat(refused("backup", "create", "rides", "--to", "nowhere", "--yes"))
                .contains("nowhere", "local");
        assertThat(refused("backup", "show", "rides", "20200101T000000Z-0000")).contains("20200101T000000Z-0000");
        assertThat(backups()).hasSize(3);
        for (int node = 0; node < 3; node++) {
            try (Stream<Path> files =
                    Files.walk(playground.allocation("dc1", node).resolve("volume/data"))) {
                assertThat(files.filter(Files::isRegularFile)
                                .filter(f -> f.toString().contains("/ringmaster-2")))
                        .as("snapshots of node-" + node)
                        .isEmpty();
            }
        }
    }

    @Test
    @Order(5)
    void a_deleted_backup_takes_nothing_from_the_others() {
        String oldest = backups().stream()
                .map(BackupInfo::id)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        assertThat(refused("backup", "delete", "rides", newest().id(), "--from", "local", "--yes"))
                .contains(newest().id() + " is the newest complete backup");
        playground.run("backup", "delete", "rides", oldest, "--from", "local", "--yes", "--wait");
        assertThat(backups()).extracting(BackupInfo::id).hasSize(2).doesNotContain(oldest);
        verifyNewest();
    }

    @Test
    @Order(6)
    void no_request_failed_meanwhile() {
        rides.assertNothingLost();
    }

    @Test
    @Order(7)
    void restored_as_another_cluster_it_has_every_row() {
        rides.rest();
        playground.run("backup", "create", "rides", "--to", "local", "--yes", "--wait");
        playground.run("restore", "start", "rides", "--as", "rides2", "--yes", "--wait");
        ClusterStatus restored = playground.restored(RESTORED, 3, SOON);
        try (CqlSession from = Playground.session(playground.status(), "dc1");
                CqlSession to = Playground.session(restored, "dc1")) {
            assertThat(rows(from, "albums", "photo")).hasSize(PHOTOS);
            assertSame(from, to, "trips", "place");
            assertSame(from, to, "albums", "photo");
            to.execute("INSERT INTO trips.place (rider, city) VALUES (-1, 'Oslo')");
            assertThat(rows(to, "trips", "place"))
                    .hasSize(rows(from, "trips", "place").size() + 1);
        }
    }

    private static void verifyNewest() {
        String id = newest().id();
        playground.run(
                "backup", "verify", "rides", "--from", "local", "--backup", id, "--level", "bytes", "--yes", "--wait");
    }

    /** Every row is on each of its replicas. */
    private static void assertSame(CqlSession from, CqlSession to, String keyspace, String table) {
        Map<Integer, String> expected = rows(from, keyspace, table);
        assertThat(rows(to, keyspace, table)).as(table).isNotEmpty().isEqualTo(expected);
        EachReplica restored = new EachReplica(to, keyspace, table);
        expected.forEach(
                (key, contents) -> assertThat(restored.have(key, row -> contents.equals(row.getFormattedContents())))
                        .as("row " + key + " of " + table + " on each of its replicas; " + restored)
                        .isTrue());
    }

    private static Map<Integer, String> rows(CqlSession session, String keyspace, String table) {
        Map<Integer, String> rows = new TreeMap<>();
        session.execute(all("SELECT * FROM " + keyspace + "." + table).setPageSize(10))
                .forEach(row -> rows.put(row.getInt(0), row.getFormattedContents()));
        return rows;
    }

    private static SimpleStatement all(String statement) {
        return SimpleStatement.newInstance(statement).setConsistencyLevel(DefaultConsistencyLevel.ALL);
    }

    /** Rows that cannot be compressed. Two of the three nodes have each, so that a mixed-up restore would show. */
    private static void photographs() {
        rides.changeSchema("CREATE KEYSPACE IF NOT EXISTS albums WITH replication ="
                + " {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
        rides.changeSchema("CREATE TABLE IF NOT EXISTS albums.photo (id int PRIMARY KEY, bytes blob)");
        Random random = new Random(PHOTOS);
        for (int id = 0; id < PHOTOS; id++) {
            byte[] bytes = new byte[PHOTO_BYTES];
            random.nextBytes(bytes);
            rides.execute(all("INSERT INTO albums.photo (id, bytes) VALUES (" + id + ", 0x"
                    + HexFormat.of().formatHex(bytes) + ")"));
        }
    }

    /** The program that sends the data of a node, as soon as it runs. */
    private static ProcessHandle transfer(int node) {
        return Patience.until(
                        "node-" + node + " to send its data",
                        SOON,
                        () -> playground
                                .executor("dc1", node)
                                .descendants()
                                .filter(p ->
                                        Processes.commandLine(p.pid()).contains("io.ringmaster.transfer.TransferMain"))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static String refused(String... command) {
        Playground.Result result = Playground.attempt(List.of(command));
        assertThat(result.exit()).as(result.output()).isNotZero();
        return result.output();
    }

    private static List<BackupInfo> backups() {
        return playground.backups(Playground.RIDES, start);
    }

    private static BackupInfo newest() {
        return backups().stream().max(Comparator.comparing(BackupInfo::id)).orElseThrow();
    }

    private static Plan newestPlan() {
        return playground.client("dc1").plans(Playground.RIDES).items().stream()
                .max(Comparator.comparing(Plan::id))
                .orElseThrow();
    }
}
