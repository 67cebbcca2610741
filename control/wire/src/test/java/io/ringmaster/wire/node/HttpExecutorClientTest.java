package io.ringmaster.wire.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.json.Json;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.IdentityUpdate;
import io.ringmaster.model.node.LoginOrder;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.FakeAuthorities;
import io.ringmaster.ports.RecordingFactSink;
import io.ringmaster.ports.RolePasswords;
import io.ringmaster.ports.SampleRecords;
import io.ringmaster.wire.FakeServer;
import io.ringmaster.wire.FakeServer.Asked;
import io.ringmaster.wire.FakeServer.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpExecutorClientTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final NodeResources RESOURCES = new NodeResources(500, 1 << 30, 512 << 20, 1 << 30);
    private static final HttpExecutorClient.Timing QUICK = new HttpExecutorClient.Timing(
            Duration.ofMillis(300), Duration.ofSeconds(2), Duration.ofMillis(20), Duration.ofMillis(100));

    /** Only a change of the address ends a poll within the limit of a test. */
    private static final HttpExecutorClient.Timing SLOW = new HttpExecutorClient.Timing(
            Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofMillis(20), Duration.ofMillis(100));

    private final Map<AllocationId, ExecutorAccess> accesses = new ConcurrentHashMap<>();
    private final RecordingFactSink facts = new RecordingFactSink();
    /** The JVM ends the threads of the clients of earlier tests only when it collects them. */
    private final Set<Thread> ofOthers = Thread.getAllStackTraces().keySet();

    private final HttpExecutorClient client = new HttpExecutorClient(
            id -> Optional.ofNullable(accesses.get(id)),
            new FakeAuthorities(SampleRecords.DC1),
            RolePasswords.NONE,
            SampleRecords.DC1,
            Instant::now,
            QUICK);

    @BeforeEach
    void start() {
        client.start(facts);
    }

    @AfterEach
    void stop() {
        client.close();
    }

    @Test
    void each_poll_asks_after_the_last_revision_with_the_token_of_the_allocation() {
        var revision = new AtomicLong();
        try (var executor = new FakeServer(asked -> {
            if (revision.get() >= 3) {
                TimeUnit.MILLISECONDS.sleep(300);
            }
            return status(node(0), Math.min(3, revision.incrementAndGet()));
        })) {
            client.watch(new Command.Watch(node(0), allocation(0, executor.port())));
            facts.await(Fact.NodeReported.class, f -> f.status().generation() == 3, LIMIT);
            assertThat(executor.asked().stream().limit(3).map(Asked::uri))
                    .containsExactly(
                            "/v1/status?after=0&wait_ms=300",
                            "/v1/status?after=1&wait_ms=300",
                            "/v1/status?after=2&wait_ms=300");
            assertThat(executor.asked().get(0).authorization()).isEqualTo("Bearer token-of-node-0");
        }
    }

    @Test
    void an_executor_that_stops_is_silent_with_the_reason_and_is_polled_from_revision_0_again() {
        int port;
        try (var executor = new FakeServer(asked -> status(node(0), 7))) {
            port = executor.port();
            client.watch(new Command.Watch(node(0), allocation(0, port)));
            facts.await(Fact.NodeReported.class, f -> true, LIMIT);
        }
        var silent = facts.await(Fact.NodeSilent.class, f -> true, LIMIT);
        assertThat(silent.node()).isEqualTo(node(0));
        assertThat(silent.reason()).isEqualTo("connection refused");
        facts.clear();
        try (var executor = new FakeServer(port, asked -> status(node(0), 1))) {
            facts.await(Fact.NodeReported.class, f -> true, LIMIT);
            assertThat(executor.asked().get(0).uri()).startsWith("/v1/status?after=0&");
        }
    }

    @Test
    void a_certificate_is_issued_for_the_key_of_the_node_and_sent_with_what_it_trusts() {
        AuthorityName authority = AuthorityName.internode(SampleRecords.RIDES, SampleRecords.DC1, 1);
        client.makeAuthority(new Command.MakeAuthority(authority));
        var made = facts.await(Fact.AuthorityMade.class, f -> true, LIMIT).certificate();
        AuthorityName clients = AuthorityName.clients(SampleRecords.RIDES, SampleRecords.DC1, 1);
        client.makeAuthority(new Command.MakeAuthority(clients));
        var forClients = facts.await(
                        Fact.AuthorityMade.class, f -> f.authority().equals(clients), LIMIT)
                .certificate();
        var sent = new CompletableFuture<Asked>();
        try (var executor = new FakeServer(asked -> {
            sent.complete(asked);
            return Reply.json("{}");
        })) {
            client.certify(new Command.Certify(
                    node(0),
                    allocation(0, executor.port()),
                    new PublicKeyPem("its key"),
                    LeafProfile.internode(authority, List.of("10.0.0.1")),
                    List.of(made),
                    new Command.Certify.CqlLeaf(LeafProfile.cql(clients, List.of("10.0.0.1")), forClients),
                    true));
            Asked asked = sent.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
            assertThat(asked.uri()).isEqualTo("/v1/identity");
            IdentityUpdate update = Json.parse(asked.body(), IdentityUpdate.class);
            assertThat(update.trust()).containsExactly(made);
            assertThat(update.chain()).singleElement().satisfies(c -> assertThat(c.text())
                    .contains("its key", "10.0.0.1"));
            assertThat(update.cql()).hasSize(2).endsWith(forClients).first().satisfies(c -> assertThat(c.text())
                    .contains("its key", "10.0.0.1"));
        }
    }

    @Test
    void a_certificate_is_sent_although_the_key_of_the_other_authority_is_missing_unless_they_must_be_together() {
        AuthorityName authority = AuthorityName.internode(SampleRecords.RIDES, SampleRecords.DC1, 1);
        client.makeAuthority(new Command.MakeAuthority(authority));
        var made = facts.await(Fact.AuthorityMade.class, f -> true, LIMIT).certificate();
        AuthorityName lost = AuthorityName.clients(SampleRecords.RIDES, SampleRecords.DC1, 1);
        var sent = new CompletableFuture<Asked>();
        try (var executor = new FakeServer(asked -> {
            sent.complete(asked);
            return Reply.json("{}");
        })) {
            for (boolean together : List.of(true, false)) {
                client.certify(new Command.Certify(
                        node(0),
                        allocation(0, executor.port()),
                        new PublicKeyPem(together ? "former executor" : "its key"),
                        LeafProfile.internode(authority, List.of("10.0.0.1")),
                        List.of(made),
                        new Command.Certify.CqlLeaf(LeafProfile.cql(lost, List.of("10.0.0.1")), made),
                        together));
            }
            Asked asked = sent.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
            IdentityUpdate update = Json.parse(asked.body(), IdentityUpdate.class);
            assertThat(update.chain()).singleElement().satisfies(c -> assertThat(c.text())
                    .contains("its key"));
            assertThat(update.cql()).isEmpty();
        }
    }

    @Test
    void the_executor_of_another_node_at_the_address_is_rejected() {
        try (var executor = new FakeServer(asked -> status(node(1), 1))) {
            client.watch(new Command.Watch(node(0), allocation(0, executor.port())));
            var silent = facts.await(Fact.NodeSilent.class, f -> true, LIMIT);
            assertThat(silent.reason()).startsWith("another executor answers at 127.0.0.1:");
            assertThat(facts.all(Fact.NodeReported.class)).isEmpty();
        }
    }

    @Test
    void an_executor_that_does_not_hold_the_poll_is_not_polled_in_a_tight_loop() throws InterruptedException {
        try (var executor = new FakeServer(asked -> status(node(0), 1))) {
            client.watch(new Command.Watch(node(0), allocation(0, executor.port())));
            facts.await(Fact.NodeReported.class, f -> true, LIMIT);
            TimeUnit.MILLISECONDS.sleep(400);
            assertThat(executor.asked().size()).isBetween(2, 25);
        }
    }

    @Test
    void a_target_is_put_to_the_executor() {
        try (var executor = new FakeServer(asked -> Reply.json("{\"generation\":4}"))) {
            client.apply(new Command.Apply(allocation(0, executor.port()), target(4)));
            awaitAsked(executor, 1);
            Asked asked = executor.asked().get(0);
            assertThat(asked.method() + " " + asked.uri()).isEqualTo("PUT /v1/target");
            assertThat(Json.parse(asked.body(), NodeTarget.class)).isEqualTo(target(4));
            assertThat(asked.body()).as("for executors of older versions").contains("\"address\":\"127.0.0.1\"");
        }
    }

    @Test
    void a_target_for_a_node_that_is_down_says_so() {
        try (var executor = new FakeServer(asked -> Reply.json("{\"generation\":4}"))) {
            client.apply(new Command.Apply(allocation(0, executor.port()), target(4), true));
            awaitAsked(executor, 1);
            assertThat(executor.asked().get(0).uri()).isEqualTo("/v1/target?while=down");
        }
    }

    @Test
    void a_poll_ends_when_the_pool_reports_another_address() {
        try (var former = new FakeServer(asked -> {
                    TimeUnit.SECONDS.sleep(30);
                    return Reply.json("{}");
                });
                var present = new FakeServer(asked -> status(node(0), 1))) {
            try (var slow = new HttpExecutorClient(
                    id -> Optional.ofNullable(accesses.get(id)),
                    new FakeAuthorities(SampleRecords.DC1),
                    RolePasswords.NONE,
                    SampleRecords.DC1,
                    Instant::now,
                    SLOW)) {
                slow.start(facts);
                slow.watch(new Command.Watch(node(0), allocation(0, former.port())));
                awaitAsked(former, 1);
                allocation(0, present.port());
                facts.await(Fact.NodeReported.class, f -> true, LIMIT);
                assertThat(facts.all(Fact.NodeSilent.class)).isEmpty();
            }
        }
    }

    @Test
    void a_server_without_a_certificate_of_its_own_ends_neither_the_polls_nor_a_caller() {
        try (var executor = new FakeServer(asked -> status(node(0), 1))) {
            Allocation allocation = allocation(0, executor.port());
            ExecutorAccess good = Objects.requireNonNull(accesses.get(allocation.id()));
            // the certificates of the fake are words
            accesses.put(
                    allocation.id(), ExecutorAccess.https("127.0.0.1", executor.port(), "secret", allocation.id()));
            client.watch(new Command.Watch(node(0), allocation));
            var silent = facts.await(Fact.NodeSilent.class, f -> true, LIMIT);
            assertThat(silent.reason()).contains("authority 'control dc1 1'");
            client.apply(new Command.Apply(allocation, target(1)));
            assertThatThrownBy(() -> client.tail(allocation, "system", 5))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("authority 'control dc1 1'");
            accesses.put(allocation.id(), good);
            facts.await(Fact.NodeReported.class, f -> true, LIMIT);
        }
    }

    @Test
    void a_forgotten_node_is_neither_polled_nor_reported() throws InterruptedException {
        var revision = new AtomicLong();
        try (var executor = new FakeServer(asked -> {
            TimeUnit.MILLISECONDS.sleep(20);
            return status(node(0), revision.incrementAndGet());
        })) {
            client.watch(new Command.Watch(node(0), allocation(0, executor.port())));
            facts.await(Fact.NodeReported.class, f -> true, LIMIT);
            client.forget(new Command.Forget(node(0)));
            TimeUnit.MILLISECONDS.sleep(200);
            int asked = executor.asked().size();
            facts.clear();
            TimeUnit.MILLISECONDS.sleep(200);
            assertThat(executor.asked()).hasSize(asked);
            assertThat(facts.all()).isEmpty();
        }
    }

    @Test
    void hundreds_of_watched_nodes_share_a_few_threads() {
        int nodes = 300;
        try (var executor = new FakeServer(asked -> {
            TimeUnit.SECONDS.sleep(30);
            return Reply.json("{}");
        })) {
            for (int i = 0; i < nodes; i++) {
                client.watch(new Command.Watch(node(i), allocation(i, executor.port())));
            }
            awaitAsked(executor, nodes);
            var own = new ArrayList<String>();
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> !ofOthers.contains(thread))
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("executor-client") || name.startsWith("HttpClient-"))
                    .forEach(own::add);
            assertThat(own).hasSizeLessThan(10);
        }
    }

    @Test
    void logs_come_from_the_executor_and_its_silence_has_a_reason() throws IOException {
        Allocation gone;
        try (var executor = new FakeServer(asked -> new Reply(200, "text/plain", "INFO up\n"))) {
            gone = allocation(0, executor.port());
            assertThat(client.tail(gone, "system", 5)).isEqualTo("INFO up\n");
            assertThat(executor.asked().get(0).uri()).isEqualTo("/v1/logs?file=system&lines=5");
        }
        assertThatThrownBy(() -> client.tail(gone, "system", 5))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("connection refused");
    }

    @Test
    void a_login_that_a_node_cannot_make_yet_is_told_from_a_failure() {
        var login = new LoginOrder("rm_anna_x7k2", "$2a$04$hash", 60);
        try (var executor = new FakeServer(
                asked -> new Reply(409, "application/json", "{\"error\":\"the roles are not replicated yet\"}"))) {
            assertThatThrownBy(() -> client.create(allocation(0, executor.port()), login))
                    .isInstanceOf(NotYetException.class)
                    .hasMessage("the roles are not replicated yet");
        }
        try (var executor = new FakeServer(asked -> new Reply(409, "application/problem+json", "{}"))) {
            assertThatThrownBy(() -> client.create(allocation(0, executor.port()), login))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NotYetException.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "503 | text/plain | '' | ''",
                "500 | application/json | {\"error\":null} | : {\"error\":null}",
                "500 | application/json | {\"error\":\"two\\nlines\"} | : two lines",
                "409 | application/problem+json | {\"code\":\"DAEMON_FAILED\",\"message\":\"no daemon runs\","
                        + "\"nextStep\":{\"text\":\"read /v1/status\",\"commands\":[]}}"
                        + " | : no daemon runs -> read /v1/status",
                "500 | application/json | {\"error\":\"the role exists\"} | : the role exists",
                "500 | application/json | {\"error\" | : {\"error\"",
                "502 | text/html | '<p>a\n  proxy' | : <p>a proxy"
            })
    void what_an_executor_refuses_is_shown_in_its_words(int status, String type, String body, String words) {
        var login = new LoginOrder("rm_anna_x7k2", "$2a$04$hash", 60);
        try (var executor = new FakeServer(asked -> new Reply(status, type, body))) {
            Allocation allocation = allocation(0, executor.port());
            String shown = "the executor answers HTTP " + status + words;
            assertThatThrownBy(() -> client.create(allocation, login))
                    .isInstanceOf(IOException.class)
                    .hasMessage(shown);
            client.watch(new Command.Watch(node(0), allocation));
            assertThat(facts.await(Fact.NodeSilent.class, f -> true, LIMIT).reason())
                    .isEqualTo(shown);
        }
    }

    @Test
    void a_node_is_silent_only_some_time_after_the_pool_has_no_access_to_it() {
        Allocation allocation = allocation(0, 1);
        ExecutorAccess access = accesses.remove(allocation.id());
        client.watch(new Command.Watch(node(0), allocation));
        var silent = facts.await(Fact.NodeSilent.class, f -> true, LIMIT);
        assertThat(silent.reason()).contains("the pool does not know its address yet");
        assertThatThrownBy(() -> client.tail(allocation, "system", 5))
                .hasMessageContaining("the pool does not know its address yet");
        try (var executor = new FakeServer(asked -> status(node(0), 1))) {
            accesses.put(allocation.id(), ExecutorAccess.http("127.0.0.1", executor.port(), access.token()));
            facts.await(Fact.NodeReported.class, f -> true, LIMIT);
        }
    }

    private static void awaitAsked(FakeServer server, int count) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (server.asked().size() < count && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(server.asked()).hasSizeGreaterThanOrEqualTo(count);
    }

    private static NodeId node(int index) {
        return NodeId.of("rides/dc1/node-" + index);
    }

    private Allocation allocation(int index, int port) {
        var id = new AllocationId("node-" + index);
        accesses.put(id, ExecutorAccess.http("127.0.0.1", port, "token-of-" + id));
        return new Allocation(
                id, node(index), new MachineName("machine-1"), new NodePorts(7000, 7001, 9042, port), RESOURCES);
    }

    private static Reply status(NodeId node, long revision) {
        var status = new NodeStatus(
                node,
                revision,
                1,
                0,
                OperatingMode.JOINING,
                "joins",
                Instant.EPOCH,
                Map.of(),
                1,
                null,
                0,
                null,
                null,
                null,
                Map.of());
        return Reply.json("{\"revision\":" + revision + ",\"status\":" + Json.text(status) + "}");
    }

    private static NodeTarget target(long generation) {
        return new NodeTarget(
                node(0),
                generation,
                1,
                true,
                0,
                true,
                false,
                "5.0.9",
                Preset.DEVELOPMENT,
                new RackName("r1"),
                new NodePorts(7000, 7001, 9042, 9500),
                List.of("1"),
                null,
                RESOURCES,
                new JvmSpec(JvmSpec.Collector.G1, List.of()),
                Map.of(),
                List.of(),
                null,
                null);
    }
}
