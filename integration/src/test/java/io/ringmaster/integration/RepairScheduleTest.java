package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.wire.api.OperationState;
import io.ringmaster.wire.api.RepairState;
import io.ringmaster.wire.client.ChangeOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Two datacenters of one real node each, whose ranges nobody asked to repair. */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RepairScheduleTest {
    private static final Duration SOON = Duration.ofMinutes(5);
    private static Playground playground;

    @BeforeAll
    static void declare_a_schedule() {
        playground = Playground.up("--datacenters", "2", "--nodes", "1");
        var status = playground.whole(2, SOON);
        try (CqlSession session = Playground.session(status, "dc1")) {
            Ddl.execute(
                    session,
                    "CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':1,'dc2':1}");
            Ddl.execute(session, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
            session.execute("INSERT INTO trips.place (rider, city) VALUES (1, 'Oslo')");
        }
        playground.whole(2, SOON);
        String source = playground.client("dc2").spec(Playground.RIDES).source();
        playground
                .client("dc2")
                .apply(Playground.RIDES, source + "\nrepair: {every: 1h, intensity: 0.5}\n", null, ChangeOptions.APPLY);
    }

    @AfterAll
    static void stop() {
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    private static List<OperationState> scheduled() {
        return playground.client("dc1").operations(Playground.RIDES).stream()
                .filter(o -> o.request().who().equals("schedule"))
                .toList();
    }

    @Test
    @Order(1)
    void what_was_never_repaired_is_repaired_once_in_both_datacenters() {
        assertThat(playground.run("repair", "list", "rides")).contains("every 1h at intensity 0.5");
        List<OperationState> asked = Patience.until(
                "a repair that the schedule asked for to be over",
                SOON,
                RepairScheduleTest::scheduled,
                all -> !all.isEmpty()
                        && all.get(0).parts().stream()
                                .allMatch(p -> p.part() != null && p.part().state() == RequestPart.State.DONE));
        assertThat(asked).singleElement().satisfies(o -> {
            assertThat(o.request().id().datacenter().value()).isEqualTo("dc1");
            assertThat(o.request().params()).containsEntry("max_age", "30m").containsEntry("intensity", "0.5");
        });
    }

    @Test
    @Order(2)
    void then_the_next_one_is_due_after_the_interval_also_in_the_eyes_of_another_leader() {
        RepairState next = untilNextIsLater();
        assertThat(next.due())
                .isBetween(Instant.now().plusSeconds(40 * 60), Instant.now().plusSeconds(60 * 60));
        ProcessHandle server = playground.server("dc1");
        List<String> command = Processes.commandLine(server.pid());
        Processes.kill9(server);
        Processes.detached(command, Playground.HOME.resolve("playground/dc1/again.log"));
        assertThat(untilNextIsLater().due()).isEqualTo(next.due());
        assertThat(scheduled()).hasSize(1);
        assertThat(playground.run("repair", "list", "rides")).contains("; next in ", "100.0 %");
    }

    private static RepairState untilNextIsLater() {
        return Patience.until(
                        "the next repair to be known",
                        SOON,
                        playground::status,
                        s -> s.repair() != null
                                && s.repair().due() != null
                                && s.repair().due().isAfter(Instant.now().plusSeconds(600)))
                .repair();
    }
}
