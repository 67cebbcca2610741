package io.ringmaster.wire.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.ports.DoorFiles;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FakeClock;
import io.ringmaster.ports.RolePasswords;
import io.ringmaster.ports.SampleRecords;
import io.ringmaster.wire.FakeServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client of executors that have a door. */
@Timeout(60)
class SecureExecutorsTest {
    private static final AuthorityName CONTROL = AuthorityName.control(SampleRecords.DC1, 1);
    private static final Duration LIFE = Duration.ofDays(30);
    private static final AllocationId FIRST = new AllocationId("rides-dc1-node-0-1");
    private static final AllocationId SECOND = new AllocationId("rides-dc1-node-1-1");

    @TempDir
    Path directory;

    /** What is issued when a test starts is valid now, and to be renewed now. */
    private final FakeClock clock =
            new FakeClock(Instant.now().minus(LIFE.multipliedBy(2).dividedBy(3)));

    private final Map<AllocationId, ExecutorAccess> accesses = new HashMap<>();
    private HttpExecutorClient client;

    private Issuer issuer(String name) {
        var issuer = new Issuer(new AuthorityDirectory(directory.resolve(name)), CONTROL, LIFE, clock);
        issuer.make(CONTROL);
        return issuer;
    }

    private HttpExecutorClient client() {
        if (client == null) {
            client = new HttpExecutorClient(
                    id -> Optional.ofNullable(accesses.get(id)),
                    issuer("authority"),
                    RolePasswords.NONE,
                    SampleRecords.DC1,
                    clock,
                    HttpExecutorClient.Timing.USUAL);
        }
        return client;
    }

    @AfterEach
    void close() {
        client().close();
    }

    private SecureExecutor executor(String authority, AllocationId allocation) {
        return new SecureExecutor(issuer(authority).door(allocation), SampleRecords.DC1);
    }

    private String tail(AllocationId allocation, int port) throws IOException {
        accesses.put(allocation, ExecutorAccess.https("127.0.0.1", port, "token of " + allocation, allocation));
        return client().tail(
                        new Allocation(
                                allocation,
                                NodeId.of("rides/dc1/node-0"),
                                new MachineName("machine-1"),
                                new NodePorts(7000, 7001, 9042, port),
                                SampleRecords.RESOURCES),
                        "system",
                        1);
    }

    @Test
    void an_executor_that_proves_its_allocation_is_asked_and_learns_the_server() throws IOException {
        try (SecureExecutor executor = executor("authority", FIRST)) {
            assertThat(tail(FIRST, executor.port())).isEqualTo("up");
            assertThat(executor.asked()).containsExactly("Bearer token of " + FIRST);
            assertThat(executor.caller()).hasToString("spiffe://ringmaster/server/dc1");
        }
    }

    @Test
    void requests_share_a_connection() throws IOException {
        try (SecureExecutor executor = executor("authority", FIRST)) {
            for (int i = 0; i < 5; i++) {
                assertThat(tail(FIRST, executor.port())).isEqualTo("up");
            }
            assertThat(executor.asked()).hasSize(5);
            assertThat(executor.handshakes()).isEqualTo(1);
        }
    }

    @Test
    void a_stranger_gets_no_request_and_no_token() {
        try (SecureExecutor other = executor("authority", SECOND);
                SecureExecutor strange = executor("another authority", FIRST)) {
            assertThatThrownBy(() -> tail(FIRST, other.port()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("of spiffe://ringmaster/executor/dc1/" + SECOND + " and not of spiffe://");
            assertThatThrownBy(() -> tail(FIRST, strange.port())).isInstanceOf(IOException.class);
            assertThat(other.asked()).isEmpty();
            assertThat(strange.asked()).isEmpty();
        }
    }

    @Test
    void an_executor_whose_door_has_ended_gets_no_request() {
        clock.advance(LIFE.negated());
        DoorFiles ended = issuer("authority").door(FIRST);
        clock.advance(LIFE);
        try (SecureExecutor executor = new SecureExecutor(ended, SampleRecords.DC1)) {
            assertThatThrownBy(() -> tail(FIRST, executor.port()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("NotAfter");
            assertThat(executor.asked()).isEmpty();
        }
    }

    @Test
    void an_executor_of_http_gets_no_request() {
        try (var plain = new FakeServer(asked -> new FakeServer.Reply(200, "text/plain", "up"))) {
            assertThatThrownBy(() -> tail(FIRST, plain.port())).isInstanceOf(IOException.class);
            assertThat(plain.asked()).isEmpty();
        }
    }

    @Test
    void a_connection_is_not_used_for_another_allocation_at_its_address() throws IOException {
        try (SecureExecutor former = executor("authority", FIRST)) {
            assertThat(tail(FIRST, former.port())).isEqualTo("up");
            // the pool gives the address to another one, and the former executor still listens there
            assertThatThrownBy(() -> tail(SECOND, former.port())).isInstanceOf(IOException.class);
            assertThat(former.asked()).containsExactly("Bearer token of " + FIRST);
        }
    }

    @Test
    void the_certificate_of_the_server_is_renewed_while_it_runs() throws IOException {
        try (SecureExecutor executor = executor("authority", FIRST)) {
            assertThat(tail(FIRST, executor.port())).isEqualTo("up");
            clock.advance(LIFE.multipliedBy(2).dividedBy(3).minusMinutes(1));
            assertThat(tail(FIRST, executor.port())).isEqualTo("up");
            assertThat(executor.handshakes()).isEqualTo(1);
            clock.advance(Duration.ofMinutes(1));
            assertThat(tail(FIRST, executor.port())).isEqualTo("up");
            assertThat(executor.handshakes()).as("with another certificate").isEqualTo(2);
        }
    }
}
