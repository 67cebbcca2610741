package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.playground.doctor.LinuxHost;
import io.ringmaster.wire.api.ClusterStatus;
import java.io.UncheckedIOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
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
 * Two datacenters of three real nodes, 77.8 ms apart in networks of their own: the line between them is cut, and a
 * machine dies.
 */
@RealNodes(preset = Preset.DEVELOPMENT, tls = false, roles = false, why = "a playground with --wan has no TLS")
@Tag("cassandra")
@Tag("long")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WanTest {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String WHERE = "SELECT city FROM trips.place WHERE rider = ";
    private static List<String> devicesBefore;
    private static Playground playground;
    private static CqlSession dc1;
    private static CqlSession dc2;

    @BeforeAll
    static void start_two_datacenters_far_apart() {
        new LinuxHost(Playground.HOME, System.getenv())
                .whyNoNetworkNamespaces()
                .ifPresent(reason -> Assumptions.abort("skipped: " + reason));
        devicesBefore = devices();
        playground = Playground.up(EachReplica.options("--wan", "77.8ms"));
        ClusterStatus status = playground.whole(6, SOON);
        dc1 = Playground.session(status, "dc1");
        dc2 = Playground.session(status, "dc2");
        CutLine.makeTable(3, dc1, dc2);
    }

    @AfterAll
    static void nothing_is_left_behind() {
        if (playground == null) {
            return;
        }
        try {
            if (dc1 != null) {
                dc1.close();
            }
            if (dc2 != null) {
                dc2.close();
            }
        } finally {
            playground.run("playground", "down");
        }
        assertThat(Processes.mentioning(Playground.HOME.toString()))
                .as("processes of the playground, those that hold its namespaces among them")
                .isEmpty();
        assertThat(devices()).as("network devices on this side").isEqualTo(devicesBefore);
        assertThat(Playground.HOME.resolve("playground")).doesNotExist();
    }

    private static List<String> devices() {
        try {
            return NetworkInterface.networkInterfaces()
                    .map(NetworkInterface::getName)
                    .sorted()
                    .toList();
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Order(1)
    void nodes_have_addresses_of_their_datacenters_network_and_the_round_trip_is_shown() {
        assertThat(playground.status().datacenters()).allSatisfy(datacenter -> assertThat(datacenter.nodes())
                .allSatisfy(node -> assertThat(node.cqlEndpoint())
                        .matches(
                                "10\\.\\d+\\." + datacenter.datacenter().value().substring(2) + "\\.\\d:9042")));
        assertThat(playground.run("playground", "status"))
                .contains("dc1 - dc2  round trip asked: 77.8 ms, measured: ")
                .doesNotContain("no answer");
    }

    @Test
    @Order(2)
    void a_row_written_at_local_quorum_in_dc1_is_read_in_dc2() {
        dc1.execute(quorum("INSERT INTO trips.place (rider, city) VALUES (1, 'Pune')"));
        Patience.until(
                "the row in dc2",
                SOON,
                () -> dc2.execute(quorum(WHERE + 1)).one(),
                row -> row != null && "Pune".equals(row.getString("city")));
    }

    /**
     * No limit to how long anything may take: only that one of the two cannot be done without asking the other side.
     */
    @Test
    @Order(3)
    void a_write_that_both_datacenters_must_confirm_takes_a_round_trip_and_a_local_one_does_not_wait_for_it() {
        long each = fastestWriteMicros(ConsistencyLevel.EACH_QUORUM);
        long local = fastestWriteMicros(ConsistencyLevel.LOCAL_QUORUM);
        assertThat(each).isGreaterThanOrEqualTo(77_000);
        assertThat(local).isLessThan(each);
    }

    private static long fastestWriteMicros(ConsistencyLevel level) {
        return IntStream.range(0, 20)
                .mapToLong(i -> {
                    long begun = System.nanoTime();
                    dc1.execute(at(level, "INSERT INTO trips.place (rider, city) VALUES (2, 'Goa')"));
                    return (System.nanoTime() - begun) / 1_000;
                })
                .min()
                .orElseThrow();
    }

    @Test
    @Order(4)
    void both_datacenters_go_on_while_the_line_is_cut_and_have_every_row_when_it_is_healed() {
        new CutLine(playground, 3).cutAndHeal(dc1, dc2);
    }

    @Test
    @Order(5)
    void a_slow_line_is_slow_until_it_is_healed() {
        assertThat(playground.run("playground", "slow", "dc1", "dc2", "300ms")).contains("round trip asked: 300.0 ms");
        assertThat(fastestWriteMicros(ConsistencyLevel.EACH_QUORUM)).isGreaterThanOrEqualTo(299_000);
        assertThat(playground.run("playground", "heal")).contains("round trip asked: 77.8 ms");
        assertThat(playground.run("playground", "heal")).contains("nothing was cut or slowed down");
    }

    @Test
    @Order(6)
    void a_killed_machine_costs_no_request_and_comes_back_with_its_volume() {
        SteadyReader writer = CutLine.writer(dc1, 30_000);
        SteadyReader reader = new SteadyReader(dc1, quorum(WHERE + 1));
        try (writer;
                reader) {
            assertThat(playground.run("playground", "kill", "machine-2"))
                    .contains("dc1/machine-2", "playground revive");
            ClusterStatus status = Patience.until(
                    "the finding of the lost machine", SOON, playground::status, s -> s.findings().stream()
                            .anyMatch(f -> f.message().contains("machine-2 is lost")));
            assertThat(status.findings())
                    .anySatisfy(f -> assertThat(f.nextStep()).asString().contains("playground revive dc1/machine-2"));
            assertThat(playground.client("dc1").machines().items())
                    .filteredOn(m -> m.datacenter().value().equals("dc1"))
                    .extracting(m -> m.machine().name().value())
                    .containsExactly("machine-1", "machine-3");
            int before = writer.answered();
            Patience.until("a hundred writes more", SOON, writer::answered, n -> n > before + 100);
            assertThat(Processes.mentioning(playground.allocation("dc1", 1).toString()))
                    .as("what runs on the killed machine")
                    .isEmpty();
            assertThat(playground.allocation("dc1", 1).resolve("volume")).doesNotExist();
            playground.run("playground", "revive", "machine-2");
            playground.whole(6, SOON);
        }
        writer.assertServed();
        reader.assertServed();
        List.of(dc1, dc2).forEach(side -> CutLine.assertKept(side, 30_000, writer.answered()));
    }

    private static SimpleStatement quorum(String cql) {
        return at(ConsistencyLevel.LOCAL_QUORUM, cql);
    }

    private static SimpleStatement at(ConsistencyLevel level, String cql) {
        return SimpleStatement.newInstance(cql).setConsistencyLevel(level).setIdempotent(true);
    }
}
