package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Two datacenters of three nodes are backed up while they are written to and their schema changes, lose all their
 * disks, and come back from the backup under their old name.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(1500)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BackupLossTest {
    private static final Duration SOON = Duration.ofMinutes(8);
    private static final String EVERYWHERE = "dc1:3,dc2:3";
    private static final int RATE = 50;
    private static final int PHOTOS = 24;
    private static final int PHOTO_BYTES = 64 << 10;

    private static Playground playground;
    private static OpenLoopLoad earlier;
    private static Ledger ledger;
    private static BackupInfo backup;
    private Instant start;

    @BeforeAll
    static void two_datacenters_with_rows() throws Exception {
        Assumptions.assumeTrue(Playground.metronome().isPresent(), "no metronome -> ./dev rust --build");
        Instant start = Instant.now();
        playground = Playground.up(EachReplica.options());
        ClusterStatus status = playground.whole(6, SOON);
        try (CqlSession session = Playground.session(status, "dc1")) {
            Ddl.execute(
                    session,
                    "CREATE KEYSPACE trips WITH replication ="
                            + " {'class':'NetworkTopologyStrategy','dc1':3,'dc2':3}");
            Ddl.execute(session, "CREATE TABLE trips.photo (id int PRIMARY KEY, bytes blob)");
            Ddl.execute(session, "CREATE TABLE trips.dropped (id int PRIMARY KEY, city text)");
            for (int id = 0; id < PHOTOS; id++) {
                session.execute(quorum("INSERT INTO trips.photo (id, bytes) VALUES (?, ?)", id, photo(id)));
                session.execute(quorum("INSERT INTO trips.dropped (id, city) VALUES (?, 'Pune')", id));
            }
        }
        earlier = OpenLoopLoad.on(playground.access(Playground.RIDES), status, EVERYWHERE, "earlier", RATE);
        Thread.sleep(10_000);
        earlier.assertNothingFailedAndNothingLost(status);
        took("start", start);
    }

    @AfterAll
    static void stop() {
        if (ledger != null) {
            ledger.close();
        }
        if (playground != null) {
            playground.close();
            assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
        }
    }

    @BeforeEach
    void startOfPart() {
        start = Instant.now();
    }

    @AfterEach
    void endOfPart(TestInfo test) {
        took(test.getDisplayName(), start);
    }

    private static void took(String part, Instant start) {
        System.out.printf(
                "BackupLossTest: %s took %.1f s%n",
                part, Duration.between(start, Instant.now()).toMillis() / 1000.0);
    }

    @Test
    @Order(1)
    void no_request_fails_while_a_backup_is_made_and_the_schema_changes() throws Exception {
        Instant asked = Instant.now();
        ClusterStatus status = playground.status();
        try (CqlSession session = Playground.session(status, "dc1");
                CqlSession schema = Playground.session(status, "dc1");
                OpenLoopLoad load =
                        OpenLoopLoad.on(playground.access(Playground.RIDES), status, EVERYWHERE, "meanwhile", RATE)) {
            ledger = new Ledger(session);
            playground.whole(6, SOON);
            var output = CompletableFuture.supplyAsync(() -> playground.run(
                    "backup", "create", "rides", "--to", "local", "--bandwidth", "64KiB/s", "--yes", "--wait"));
            Patience.until("all nodes to send", SOON, playground::transfers, sending -> sending.size() == 6);
            changeSchema(schema);
            assertThat(playground.transfers()).as("uploads during the changes").isNotEmpty();
            System.out.println(output.join());
            backup = playground.client("dc1").backups("local", Playground.RIDES).stream()
                    .filter(b -> b.from().isAfter(asked))
                    .max(Comparator.comparing(BackupInfo::id))
                    .orElseThrow();
            ledger.close();
            assertThat(ledger.refused()).as("writes of the ledger that failed").isZero();
            try (CqlSession inDc2 = Playground.session(playground.status(), "dc2")) {
                ledger.assertKept(List.of(session, inDc2), SOON);
            }
            load.assertNothingFailedAndNothingLost(playground.status());
        }
        assertThat(backup.nodes()).isEqualTo(6);
    }

    private static void changeSchema(CqlSession schema) {
        change(schema, "CREATE TABLE trips.created (id int PRIMARY KEY)");
        change(schema, "ALTER TABLE trips.photo ADD added text");
        change(schema, "CREATE INDEX city_of_ledger ON trips.ledger (text) USING 'sai'");
        change(schema, "DROP TABLE trips.dropped");
        assertThat(schema.execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'trips'")
                        .all())
                .extracting(row -> row.getString(0))
                .contains("created")
                .doesNotContain("dropped");
    }

    /** All six nodes take it over, which is late on a busy computer. The load beside it gets no more patience. */
    private static void change(CqlSession schema, String cql) {
        schema.execute(SimpleStatement.newInstance(cql).setTimeout(Duration.ofMinutes(2)));
    }

    @Test
    @Order(2)
    void all_disks_of_all_nodes_are_lost() {
        Map<NodeId, String> machines = playground.status().datacenters().stream()
                .flatMap(d -> d.nodes().stream())
                .collect(Collectors.toMap(NodeState::node, n -> n.node().datacenter() + "/" + n.machine()));
        assertThat(machines).hasSize(6);
        LostDisk.of(playground, machines);
        playground.run("cluster", "delete", "rides", "--destroy-data", "--yes", "--wait");
    }

    @Test
    @Order(3)
    void it_comes_back_under_its_name() {
        playground.run("restore", "start", "rides", "--as", "rides", "--backup", backup.id(), "--yes", "--wait");
        ClusterStatus restored = playground.restored(Playground.RIDES, 6, SOON);
        assertThat(restored.schemaVersions()).hasSize(1);
    }

    @Test
    @Order(4)
    void every_row_acknowledged_before_the_backup_is_read_at_all() throws Exception {
        ClusterStatus restored = playground.status();
        earlier.assertNothingLost(playground.access(restored.cluster()), restored);
        try (CqlSession session = Playground.session(restored, "dc1");
                CqlSession inDc2 = Playground.session(restored, "dc2")) {
            for (CqlSession side : List.of(session, inDc2)) {
                System.out.printf(
                        "BackupLossTest: %d rows of the ledger are there%n",
                        ledger.assertRestored(side, backup.from()));
            }
            for (int id = 0; id < PHOTOS; id++) {
                assertThat(session.execute(all("SELECT bytes FROM trips.photo WHERE id = " + id))
                                .one()
                                .getByteBuffer(0))
                        .as("photo " + id)
                        .isEqualTo(photo(id));
            }
            assertThat(session.execute(all("SELECT id FROM trips.dropped")).all())
                    .as("rows of the table that was dropped after the snapshots")
                    .hasSize(PHOTOS);
            assertThat(session.execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = 'trips'")
                            .all())
                    .extracting(row -> row.getString(0))
                    .containsExactlyInAnyOrder("photo", "dropped", "ledger");
            assertThat(session.execute("SELECT index_name FROM system_schema.indexes WHERE keyspace_name = 'trips'")
                            .all())
                    .as("indexes made after the snapshots")
                    .isEmpty();
        }
    }

    /** Bytes that cannot be compressed. */
    private static ByteBuffer photo(int id) {
        byte[] bytes = new byte[PHOTO_BYTES];
        new Random(id).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private static SimpleStatement quorum(String statement, Object... values) {
        return SimpleStatement.newInstance(statement, values).setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM);
    }

    private static SimpleStatement all(String statement) {
        return SimpleStatement.newInstance(statement).setConsistencyLevel(DefaultConsistencyLevel.ALL);
    }
}
