package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.node.NodeTask.Kind;
import io.ringmaster.model.node.RingView.Repaired;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.node.TaskStatus.State;
import io.ringmaster.wire.api.ClusterStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A ring of two real nodes, in two datacenters, as the companion of the first reports it: decisions are made of nothing
 * else. In the first half the second node hangs.
 */
@RealNodes
@Tag("cassandra")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CompanionSensesTest {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String DOWN = "waits for .*, which is down";
    private static final int ROWS = 300;
    private static final int ROW_BYTES = 8 * 1024;
    /** Cassandra counts what a compaction has read at every hundredth row. */
    private static final int LARGE_ROWS = 640;

    private static final int LARGE_ROW_BYTES = 64 * 1024;
    private static final int TOMBSTONES = 100;
    private static final int QUEUES = 20;
    private static Playground playground;
    private static Companion node;
    private static ProcessHandle executor;
    private static ProcessHandle other;
    private static CqlSession dc1;
    private static CqlSession dc2;

    @BeforeAll
    static void start() {
        playground = Playground.up("--datacenters", "2", "--nodes", "1");
        ClusterStatus status = playground.whole(2, SOON);
        dc1 = Playground.session(status, "dc1");
        Ddl.execute(
                dc1, "CREATE KEYSPACE senses WITH replication = {'class':'NetworkTopologyStrategy','dc1':1,'dc2':1}");
        Stream.of("hinted", "lone", "large")
                .forEach(table -> Ddl.execute(
                        dc1,
                        "CREATE TABLE senses." + table + " (id int PRIMARY KEY, data blob)"
                                + " WITH speculative_retry = 'NEVER' AND read_repair = 'NONE'"
                                + " AND compression = {'enabled': 'false'}"));
        playground.whole(2, SOON);
        node = new Companion(playground, "dc1", 0);
        executor = playground.executor("dc1", 0);
        Processes.signal("STOP", executor);
        other = playground.daemon("dc2", 0);
    }

    @AfterAll
    static void stop() {
        Stream.of(dc1, dc2).filter(Objects::nonNull).forEach(CqlSession::close);
        Stream.of(executor, other).filter(Objects::nonNull).forEach(p -> Processes.signal("CONT", p));
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void a_repair_whose_replica_hangs_repaired_nothing_and_waits_for_it() {
        Processes.signal("STOP", other);
        String repair = node.start(Kind.REPAIR, Map.of("keyspaces", "senses"));
        assertThat(node.peer("dc2").alive())
                .as("seen UP still, so that Cassandra starts the repair and then fails it")
                .isTrue();
        node.says(repair, m -> m.matches(DOWN));
        assertThat(node.peer("dc2").alive()).isFalse();
        assertThat(repaired()).isZero();
        assertThat(node.aborted(repair).state()).isEqualTo(State.ABORTED);
        assertThat(repaired()).isZero();
    }

    @Test
    @Order(2)
    void no_node_leaves_the_ring_beside_a_member_that_is_down() {
        String leave = node.start(Kind.DECOMMISSION, Map.of());
        node.says(leave, m -> m.matches(DOWN));
        TaskStatus ended = node.aborted(leave);
        assertThat(ended.state()).isEqualTo(State.ABORTED);
        assertThat(ended.message()).isEqualTo("stopped before it left");
        assertThat(node.node().mode()).isEqualTo("NORMAL");
    }

    @Test
    @Order(3)
    void a_comparison_waits_for_the_member_and_an_abort_ends_it() {
        String leaving = node.start(Kind.COMPARE, Map.of("staying", "dc2"));
        node.says(leaving, m -> m.matches(DOWN));
        assertThat(node.aborted(leaving).state()).isEqualTo(State.ABORTED);
        String joining = node.start(Kind.COMPARE, Map.of("from", "dc2"));
        node.says(joining, m -> m.matches(DOWN));
        assertThat(node.aborted(joining).state()).isEqualTo(State.ABORTED);
    }

    @Test
    @Order(4)
    void a_probe_at_a_level_that_needs_the_member_fails() {
        TaskStatus probe = node.run(Kind.PROBE, Map.of("consistency", "LOCAL_QUORUM,EACH_QUORUM"));
        assertThat(probe.state()).as(probe.message()).isEqualTo(State.FAILED);
        assertThat(probe.message()).contains("EACH_QUORUM");
        assertThat(node.run(Kind.PROBE, Map.of()).message()).startsWith("probe passed: LOCAL_QUORUM in ");
    }

    @Test
    @Order(5)
    void the_member_that_missed_a_change_has_another_schema() {
        String before = node.ring().schemaVersion();
        // to create a table writes permissions, which needs both datacenters
        dc1.execute("ALTER TABLE senses.lone WITH comment = 'later'");
        assertThat(node.ring().schemaVersion())
                .isNotEqualTo(before)
                .isNotEqualTo(node.peer("dc2").schemaVersion());
    }

    @Test
    @Order(6)
    void hints_count_until_every_one_of_them_is_delivered() {
        write("hinted", ROWS, ROW_BYTES);
        long whole = (long) ROWS * ROW_BYTES;
        allOnDisk(whole);
        // the file is delivered in many seconds, and what comes now has no hint
        node.set(Map.of("hinted_handoff_throttle", "100KiB", "hinted_handoff_enabled", false));
        write("lone", ROWS, 1);
        Processes.signal("CONT", other);
        Patience.until("the member to be up", SOON, () -> node.peer("dc2").alive(), alive -> alive);
        dc2 = Playground.session(playground.status(), "dc2");
        int during = 0;
        for (long bytes = hints(); bytes > 0; bytes = hints()) {
            assertThat(bytes).as("hints while they are delivered").isGreaterThanOrEqualTo(whole);
            during++;
            Patience.pause(Duration.ofMillis(200));
        }
        assertThat(during).as("looks during the delivery").isGreaterThan(1);
        node.set(Map.of("hinted_handoff_throttle", "1024KiB", "hinted_handoff_enabled", true));
        assertThat(rows("hinted")).isEqualTo(ROWS);
        Patience.until(
                "one schema",
                SOON,
                () -> node.peer("dc2").schemaVersion(),
                v -> v.equals(node.ring().schemaVersion()));
    }

    @Test
    @Order(7)
    void a_replica_that_lacks_partitions_is_found_until_a_repair_has_sent_them() {
        assertThat(rows("lone")).isZero();
        TaskStatus compared = node.run(Kind.COMPARE, Map.of("staying", "dc2"));
        assertThat(compared.state()).as(compared.message()).isEqualTo(State.FAILED);
        assertThat(compared.message()).contains("senses.lone", "dc2");
        TaskStatus repair = node.run(Kind.REPAIR, Map.of("keyspaces", "senses"));
        assertThat(repair.state()).as(repair.message()).isEqualTo(State.DONE);
        assertThat(rows("lone")).isEqualTo(ROWS);
        assertThat(repaired()).isEqualTo(1);
        assertThat(node.run(Kind.COMPARE, Map.of("staying", "dc2")).message())
                .endsWith(" partitions looked at, all of them are in dc2 too");
        assertThat(node.run(Kind.COMPARE, Map.of("from", "dc2")).message())
                .endsWith(" partitions of dc2 looked at, all of them are here");
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"COMPACT", "GARBAGE_COLLECT"})
    @Order(8)
    void an_abort_ends_work_on_tables_in_its_middle(Kind kind) {
        write("large", LARGE_ROWS, LARGE_ROW_BYTES);
        assertThat(node.run(Kind.FLUSH, Map.of("keyspaces", "senses")).state()).isEqualTo(State.DONE);
        node.set(Map.of("compaction_throughput", "1MiB/s"));
        try {
            isAborted(kind);
        } finally {
            node.set(Map.of("compaction_throughput", "64MiB/s"));
        }
    }

    /** A comparison for a leaving datacenter reads the first node first, one for a new datacenter the second. */
    @Test
    @Order(9)
    void tombstones_around_partitions_are_read_past_and_those_of_one_partition_name_the_parameter() {
        Ddl.execute(dc1, "CREATE TABLE senses.queue (id int, item int, PRIMARY KEY (id, item))");
        for (int id = 0; id < QUEUES; id++) {
            dc1.execute("INSERT INTO senses.queue (id, item) VALUES (" + id + ", 1000)");
            deleted(id, TOMBSTONES * 2 / 5);
        }
        ProcessHandle otherExecutor = playground.executor("dc2", 0);
        Processes.signal("STOP", otherExecutor);
        List<Companion> both = List.of(node, new Companion(playground, "dc2", 0));
        both.forEach(n -> n.set(Map.of("tombstone_failure_threshold", TOMBSTONES)));
        try {
            assertCompares(State.DONE, QUEUES, "");
            deleted(QUEUES, TOMBSTONES * 2);
            assertCompares(State.FAILED, 0, "table senses.queue of dc2: cannot be read: ");
        } finally {
            both.forEach(n -> n.set(Map.of("tombstone_failure_threshold", 100_000)));
            Processes.signal("CONT", otherExecutor);
        }
        assertCompares(State.DONE, QUEUES, "");
    }

    private static void deleted(int id, int items) {
        for (int item = 0; item < items; item++) {
            dc1.execute("DELETE FROM senses.queue WHERE id = " + id + " AND item = " + item);
        }
    }

    private static void assertCompares(State state, int atLeast, String message) {
        for (String way : new String[] {"staying", "from"}) {
            TaskStatus compared = node.run(Kind.COMPARE, Map.of(way, "dc2"));
            assertThat(compared.state()).as(way + ": " + compared.message()).isEqualTo(state);
            assertThat(compared.message()).startsWith(message);
            if (state == State.FAILED) {
                assertThat(compared.message()).endsWith(": raise tombstone_failure_threshold, then retry");
            } else {
                assertThat(Integer.parseInt(compared.message().replaceFirst(" .*", "")))
                        .as(compared.message())
                        .isGreaterThanOrEqualTo(atLeast);
            }
        }
    }

    @Test
    @Order(10)
    void a_drained_node_says_so_and_a_second_drain_is_none() {
        for (int i = 0; i < 2; i++) {
            TaskStatus drain = node.run(Kind.DRAIN, Map.of());
            assertThat(drain.state()).as(drain.message()).isEqualTo(State.DONE);
            assertThat(drain.message()).isEqualTo("drained");
            assertThat(node.node().mode()).isEqualTo("DRAINED");
        }
    }

    private static void isAborted(Kind kind) {
        String task = node.start(kind, Map.of("keyspaces", "senses", "tables", "large"));
        Patience.until("progress", SOON, () -> node.node().task(), t -> t != null && t.done() > 0);
        Instant asked = Instant.now();
        assertThat(node.aborted(task).state()).isEqualTo(State.ABORTED);
        // its bytes would take 40 s
        assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(15));
    }

    /** Cassandra writes hints to disk every ten seconds. */
    private static void allOnDisk(long atLeast) {
        long before = -1;
        for (long bytes = hints(); bytes < atLeast || bytes != before; bytes = hints()) {
            before = bytes;
            Patience.pause(Duration.ofSeconds(15));
        }
    }

    private static long hints() {
        return node.ring()
                .hintsFor()
                .getOrDefault(String.valueOf(node.peer("dc2").hostId()), 0L);
    }

    /** The share of the first node's ranges that was ever repaired. */
    private static double repaired() {
        return node.ring().keyspaces().stream()
                .filter(k -> k.name().equals("senses"))
                .flatMap(k -> Optional.ofNullable(k.repaired()).stream())
                .mapToDouble(Repaired::share)
                .findFirst()
                .orElse(0);
    }

    /** Through the first node, which alone must answer. */
    private static void write(String table, int rows, int bytes) {
        var random = new Random(7);
        for (int id = 0; id < rows; id++) {
            byte[] data = new byte[bytes];
            random.nextBytes(data);
            dc1.execute(SimpleStatement.newInstance(
                    "INSERT INTO senses." + table + " (id, data) VALUES (?, ?)", id, ByteBuffer.wrap(data)));
        }
    }

    /** As the second node alone has them. */
    private static int rows(String table) {
        return dc2.execute("SELECT id FROM senses." + table).all().size();
    }
}
