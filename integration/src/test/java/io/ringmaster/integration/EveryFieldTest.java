package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.client.ChangeOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cluster of one node with the fields of a spec that no other test on real nodes declares, each with its effect. */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EveryFieldTest {
    private static final Duration SOON = Duration.ofMinutes(5);
    private static final ClusterName FIELDS = new ClusterName("fields");
    private static final String SPEC =
            """
            cluster: fields
            cassandra: 5.0.9
            datacenters:
              dc1: {nodes: 1, seeds: 1, racks: [r2]}
            node: {cpus: 0.5, memory: 1GiB, heap: 256MiB, disk: 2GiB}
            jvm: {collector: g1, options: [-XX:TieredStopAtLevel=1, -Dcassandra.ring_delay_ms=1000]}
            placement: {racks: best_effort}
            tls: {internode: required, clients: optional}
            engine:
              rocksdb: {block_cache: 32MiB, write_buffers: 16MiB, compaction_throughput: 16MiB/s, durability: wal}
            backup: {to: local, every: 1h, keep: {last: 3, daily: 1}, bandwidth: 20MiB/s}
            """
                    + CqlAccess.SPEC;
    private static Playground playground;
    private static Instant started;

    @BeforeAll
    static void start() {
        started = Instant.now();
        playground = Playground.up("--datacenters", "1", "--nodes", "2", "--engine=ROCKSDB");
        playground.client("dc1").apply(FIELDS, SPEC, 0L, ChangeOptions.APPLY);
    }

    @AfterAll
    static void stop() {
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    private static ClusterStatus whole() {
        return playground.whole(FIELDS, 1, SOON);
    }

    /** Empty while no daemon runs. */
    private static String commandLine() {
        String allocation = playground.allocation(FIELDS, "dc1", 0).toString();
        return Processes.mentioning("companion.Launch", allocation).stream()
                .map(daemon -> String.join(" ", Processes.commandLine(daemon.pid())))
                .collect(Collectors.joining());
    }

    @Test
    @Order(1)
    void a_client_without_tls_reads_and_writes_a_table_of_the_engine_in_the_rack_of_choice() {
        ClusterStatus status = whole();
        assertThat(status.datacenters().get(0).nodes().get(0).machine()).hasToString("machine-2");
        CqlAccess access = playground.access(FIELDS);
        assertThat(access.authorities()).as("of clients that want TLS").isNotNull();
        for (CqlAccess client : List.of(access, new CqlAccess(null, access.user(), access.password()))) {
            try (CqlSession session = Playground.session(status, "dc1", client)) {
                Ddl.execute(
                        session,
                        "CREATE KEYSPACE IF NOT EXISTS shop WITH replication ="
                                + " {'class': 'NetworkTopologyStrategy', 'dc1': 1}");
                Ddl.execute(
                        session, "CREATE TABLE IF NOT EXISTS shop.kept (id int PRIMARY KEY) WITH memtable = 'rocksdb'");
                session.execute("INSERT INTO shop.kept (id) VALUES (7)");
                assertThat(session.execute("SELECT id FROM shop.kept").one()).isNotNull();
            }
        }
    }

    @Test
    @Order(2)
    void the_cluster_is_backed_up_as_scheduled() {
        List<BackupInfo> backups = Patience.until(
                "the first backup", SOON, () -> playground.backups(FIELDS, started), list -> !list.isEmpty());
        assertThat(backups).hasSize(1);
        playground.run(
                "backup", "verify", "fields", "--backup", backups.get(0).id(), "--from", "local", "--yes", "--wait");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jvm: {collector: g1 | UseG1GC",
                "jvm: {collector: zgc | UseZGC",
                "jvm: {collector: shenandoah | UseShenandoahGC"
            })
    @Order(3)
    void each_collector_collects(String field, String option) {
        String spec = SPEC.replace("jvm: {collector: g1", field);
        playground.client("dc1").apply(FIELDS, spec, null, ChangeOptions.APPLY);
        Patience.until(option, SOON, EveryFieldTest::commandLine, line -> line.contains("-XX:+" + option));
        try (CqlSession session = Playground.session(whole(), "dc1", playground.access(FIELDS))) {
            assertThat(session.execute("SELECT id FROM shop.kept").one()).isNotNull();
        }
    }
}
