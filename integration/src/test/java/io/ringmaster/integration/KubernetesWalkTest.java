package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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

/** A ring of real pods on two real kubelets, under steady reads and writes at LOCAL_QUORUM. */
@RealNodes
@Tag("cassandra")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KubernetesWalkTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    /**
     * Usually a few seconds. On a busy machine the kubelet may first meet a claim that the authorizer does not relate
     * to its machine yet, which is the reason until it mounts again.
     */
    private static final Duration REASON = Duration.ofMinutes(3);

    private static final String IMAGE = "image: \"localhost/ringmaster/cassandra:{cassandra}\"";
    private static final String STORAGE = "storage_class: local";

    private static KubernetesTestbed kubernetes;
    private static PoolServer server;
    private static CqlSession session;
    private static Ledger ledger;
    private static SteadyReader reader;

    @BeforeAll
    static void start() {
        Optional<String> lacks = KubernetesTestbed.lacks();
        Assumptions.assumeTrue(lacks.isEmpty(), () -> lacks.orElse(""));
        kubernetes = KubernetesTestbed.up(2);
        server = PoolServer.encrypted(kubernetes, "rides", 8080, IMAGE, STORAGE);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable part : Stream.of(ledger, reader, session, server, kubernetes)
                .filter(Objects::nonNull)
                .toList()) {
            part.close();
        }
    }

    private static String spec(String cluster, int nodes, String disk) {
        return String.join(
                "\n",
                "cluster: " + cluster,
                "cassandra: 5.0.9",
                "preset: production",
                "datacenters: {dc1: {nodes: " + nodes + "}}",
                // the least memory that is accepted for this heap: the kernel would end a node that needs more
                "node: {cpus: 0.5, memory: 768MiB, heap: 256MiB, disk: " + disk + "}",
                TwoCores.SPEC.strip(),
                "cassandra_yaml: {dynamic_snitch: false}",
                "placement: {nodes_per_machine: 2}",
                "");
    }

    private static String pods(String column) {
        return kubernetes.kubectl(
                "get",
                "pods",
                "-n",
                "rides",
                "-o",
                "custom-columns=NAME:.metadata.name,VALUE:" + column,
                "--no-headers");
    }

    private static NodeState node(ClusterStatus status, int index) {
        return status.datacenters().get(0).nodes().get(index);
    }

    @Test
    @Order(1)
    void three_nodes_are_placed_on_two_machines() {
        server.declare(spec("rides", 3, "4GiB") + CqlAccess.SPEC);
        ClusterStatus status = server.whole("rides", 3, SOON);
        assertThat(pods(".spec.nodeName"))
                .containsPattern("rides-dc1-node-0 +n1")
                .containsPattern("rides-dc1-node-1 +n2")
                .containsPattern("rides-dc1-node-2 +n1");
        assertThat(pods(".status.qosClass").lines()).hasSize(3).allMatch(line -> line.endsWith("Guaranteed"));
        assertThat(pods(".spec.containers[0].resources.limits.memory").lines())
                .hasSize(3)
                .allMatch(l -> l.endsWith(String.valueOf(768L << 20)));
        assertThat(kubernetes
                        .kubectl("get", "pvc,secret", "-n", "rides", "-o", "name")
                        .lines())
                .hasSize(6)
                .contains("persistentvolumeclaim/rides-dc1-node-2", "secret/rides-dc1-node-2");
        assertThat(server.run("machine", "list"))
                .containsPattern("n1 +rack1 .*rides node-0")
                .containsPattern("n2 +rack2");
        assertThat(server.run("node", "logs", "rides/dc1/node-0", "--lines", "2000"))
                .contains("Startup complete");
        assertThat(server.run("node", "logs", "rides/dc1/node-0", "--file", "executor"))
                .contains("started the daemon");
        startLoad(status);
    }

    private static void startLoad(ClusterStatus status) {
        session = Playground.session(status, "dc1", server.access("rides"));
        Ddl.execute(session, "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}");
        ledger = new Ledger(session);
        ledger.awaitRows(8, SOON);
        reader = new SteadyReader(
                session,
                SimpleStatement.newInstance("SELECT text FROM trips.ledger WHERE number = 7")
                        .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                        .setIdempotent(true));
    }

    @Test
    @Order(2)
    @Tag("long")
    void a_rolling_restart_fails_no_request_and_keeps_the_pods() {
        String before = pods(".metadata.uid");
        server.run("cluster", "restart", "rides", "--yes", "--wait");
        reader.assertServed();
        assertThat(ledger.refused()).as("writes refused").isZero();
        assertThat(pods(".metadata.uid")).isEqualTo(before);
    }

    @Test
    @Order(3)
    void a_deleted_pod_returns_with_its_data_and_host_id_at_another_address() {
        NodeState before = node(server.status("rides"), 1);
        kubernetes.kubectl("delete", "pod", "rides-dc1-node-1", "-n", "rides");
        Patience.until(
                "another address of node-1",
                SOON,
                () -> node(server.status("rides"), 1).cqlEndpoint(),
                endpoint -> endpoint != null && !endpoint.equals(before.cqlEndpoint()));
        NodeState after = node(server.whole("rides", 3, SOON), 1);
        assertThat(after.hostId()).isEqualTo(before.hostId());
        assertThat(after.machine()).isEqualTo(before.machine());
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(4)
    void a_killed_daemon_is_started_again_in_its_pod() {
        kubernetes.kubectl(
                "exec",
                "rides-dc1-node-0",
                "-n",
                "rides",
                "--",
                "sh",
                "-c",
                "kill -9 $(cat /node/volume/daemon.pid | cut -d' ' -f1)");
        Patience.until(
                "the end of the daemon is seen",
                SOON,
                () -> node(server.status("rides"), 0).exits(),
                n -> n != null && n == 1);
        server.whole("rides", 3, SOON);
        assertThat(pods(".status.containerStatuses[0].restartCount").lines())
                .hasSize(3)
                .allMatch(line -> line.endsWith(" 0"));
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(5)
    @Tag("long")
    void a_killed_executor_is_started_again_by_the_kubelet_in_its_pod() {
        String before = pods(".metadata.uid");
        kubernetes.inside(2, "pkill", "-9", "-f", "ExecutorMain .*--node rides/dc1/node-1 ");
        Patience.until(
                "a restart by the kubelet",
                SOON,
                () -> pods(".status.containerStatuses[0].restartCount"),
                counts -> counts.lines().anyMatch(line -> line.matches("rides-dc1-node-1 +1")));
        server.whole("rides", 3, SOON);
        assertThat(pods(".metadata.uid")).isEqualTo(before);
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(6)
    void what_cannot_be_scheduled_says_so_in_the_words_of_the_scheduler() {
        server.declare(spec("large", 1, "15GiB"));
        awaitReason(server, "large", "didn't find available persistent volumes to bind");
        assertThat(server.attempt("cluster", "status", "large").output()).contains("Kubernetes cannot schedule it");
        server.run("cluster", "delete", "large", "--destroy-data", "--yes", "--wait");
        assertThat(kubernetes.kubectl("get", "pvc", "-n", "rides", "-o", "name"))
                .doesNotContain("large");
    }

    @Test
    @Order(7)
    void a_missing_storage_class_or_image_is_named() {
        try (PoolServer other = PoolServer.in(kubernetes, "no-class", 8081, IMAGE, "storage_class: fast")) {
            other.declare(spec("lost", 1, "4GiB"));
            awaitReason(other, "lost", "there is no StorageClass 'fast'; there are: local");
        }
        try (PoolServer other = PoolServer.in(kubernetes, "no-image", 8082, "image: localhost/none:1", STORAGE)) {
            other.declare(spec("lost", 1, "4GiB"));
            awaitReason(other, "lost", "the image localhost/none:1 cannot be pulled: ErrImageNeverPull");
        }
        server.whole("rides", 3, SOON);
        ledger.assertKept(List.of(session), SOON);
    }

    private static void awaitReason(PoolServer asked, String cluster, String reason) {
        Patience.until(reason, REASON, () -> asked.status(cluster).toString(), status -> status.contains(reason));
    }

    @Test
    @Order(8)
    void a_deleted_cluster_leaves_its_volumes_unless_they_are_destroyed() {
        ledger.close();
        reader.close();
        server.run("cluster", "delete", "rides", "--yes", "--wait");
        assertThat(kubernetes.kubectl("get", "pods", "-n", "rides", "-o", "name"))
                .isEmpty();
        assertThat(kubernetes
                        .kubectl("get", "pvc", "-n", "rides", "--no-headers")
                        .lines())
                .hasSize(3)
                .allMatch(line -> line.contains("Bound"));
        assertThat(files(volumeOf("rides-dc1-node-1"))).contains("volume");
        server.declare(spec("short", 1, "4GiB"));
        server.whole("short", 1, SOON);
        String volume = volumeOf("short-dc1-node-0");
        assertThat(files(volume)).contains("volume");
        server.run("cluster", "delete", "short", "--destroy-data", "--yes", "--wait");
        assertThat(files(volume)).isEmpty();
        assertThat(kubernetes.kubectl("get", "pvc,secret", "-n", "rides", "-o", "name"))
                .doesNotContain("short");
        Patience.until(
                volume + " can be claimed again",
                SOON,
                () -> kubernetes.kubectl("get", "pv", volume, "-o", "jsonpath={.status.phase}"),
                phase -> phase.equals("Available"));
    }

    @Test
    @Order(9)
    @Tag("long")
    void a_server_with_tls_encrypts_its_cluster_answers_seeds_by_https_and_takes_a_password_from_a_Secret()
            throws IOException {
        Path password = Files.writeString(Playground.HOME.resolve("app.password"), "s3cret-of-app");
        String spec = spec("guarded", 1, "4GiB") + "roles: {app: {login: true, password: {secret: app-login/key}}}\n";
        try (PoolServer secure = PoolServer.encrypted(kubernetes, "secure", 8083, IMAGE, STORAGE)) {
            kubernetes.kubectl(
                    "create", "secret", "generic", "app-login", "-n", "secure", "--from-file=key=" + password);
            String label = "ringmaster.io/cluster=guarded";
            assertThat(secure.dryRun(spec).output()).contains("kubectl label secret app-login -n secure " + label);
            kubernetes.kubectl("label", "secret", "app-login", "-n", "secure", label);
            secure.declare(spec);
            secure.whole("guarded", 1, SOON);
            assertThat(secure.run("cql", "guarded", "-e", "SELECT username, ssl_protocol FROM system_views.clients"))
                    .contains("rm_", "TLSv1.3");
            String user = "--user=app";
            String file = "--password-file=" + password;
            assertThat(secure.run("cql", "guarded", user, file, "-e", "SELECT cluster_name FROM system.local"))
                    .contains("guarded");
            awaitLog(secure, "system", "https://" + KubernetesTestbed.ADDRESS + ":8083 answered");
            awaitLog(secure, "executor", "by TLS");
        }
    }

    /** Patient, because a busy machine may be slow to answer. */
    private static void awaitLog(PoolServer asked, String file, String line) {
        Patience.until(
                line,
                SOON,
                () -> asked.attempt("node", "logs", "guarded/dc1/node-0", "--lines", "2000", "--file", file),
                result -> result.output().contains(line));
    }

    private static String volumeOf(String claim) {
        return kubernetes.kubectl("get", "pvc", claim, "-n", "rides", "-o", "jsonpath={.spec.volumeName}");
    }

    /** @param volume such as n1-disk2 */
    private static List<String> files(String volume) {
        int dash = volume.indexOf("-disk");
        int number = Integer.parseInt(volume.substring(dash + "-disk".length()));
        String[] names =
                kubernetes.disk(volume.substring(0, dash), number).toFile().list();
        return List.of(Objects.requireNonNull(names));
    }
}
