package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.wire.api.ClusterStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

/** The server as a pod of the Kubernetes that its nodes run on, installed by the files in {@code deploy/kubernetes}. */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KubernetesServerInsideTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static final Path DEPLOY = Playground.ROOT.resolve("deploy/kubernetes");
    private static final String NAMESPACE = "ringmaster";
    private static final String SPEC =
            """
            cluster: rides
            cassandra: 5.0.9
            preset: production
            datacenters: {dc1: {nodes: 3}}
            node: {cpus: 0.5, memory: 1GiB, heap: 256MiB, disk: 4GiB}
            placement: {nodes_per_machine: 2}
            """
                    + TwoCores.SPEC;

    private static KubernetesTestbed kubernetes;
    private static PoolServer server;

    @BeforeAll
    static void install() throws IOException {
        Optional<String> lacks = KubernetesTestbed.lacks();
        Assumptions.assumeTrue(lacks.isEmpty(), () -> lacks.orElse(""));
        kubernetes = KubernetesTestbed.up(2);
        String manifest = Files.readString(DEPLOY.resolve("ringmaster.yaml"));
        Path changed = Files.writeString(
                Playground.HOME.resolve("ringmaster.yaml"), manifest.replace("registry.example.com/", "localhost/"));
        kubernetes.kubectl(
                "apply",
                "-f",
                changed.toString(),
                "-f",
                DEPLOY.resolve("retain.yaml").toString());
        reachServer();
    }

    private static void reachServer() {
        kubectl("rollout", "status", "statefulset/ringmaster", "--timeout=150s");
        server = PoolServer.inside(kubernetes, NAMESPACE, 8080);
    }

    @AfterAll
    static void stop() {
        Stream.of(server, kubernetes).filter(Objects::nonNull).forEach(part -> {
            try {
                part.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    private static String kubectl(String... arguments) {
        return kubernetes.kubectl(inNamespace(arguments));
    }

    private static String[] inNamespace(String... arguments) {
        return Stream.concat(Stream.of("-n", NAMESPACE), Stream.of(arguments)).toArray(String[]::new);
    }

    /** Runs a command in the server's pod. */
    private static String exec(String... command) {
        return kubectl(Stream.concat(Stream.of("exec", "ringmaster-0", "--"), Stream.of(command))
                .toArray(String[]::new));
    }

    private static String uid(String pod) {
        return kubectl("get", "pod", pod, "-o", "jsonpath={.metadata.uid}");
    }

    private static String pods(String column) {
        return kubectl(
                "get",
                "pods",
                "-l",
                "app.kubernetes.io/name=cassandra",
                "-o",
                "custom-columns=NAME:.metadata.name,VALUE:" + column,
                "--no-headers");
    }

    @Test
    @Order(1)
    void the_server_has_no_more_rights_than_an_ordinary_process() {
        assertThat(exec("id", "-u")).isEqualToIgnoringNewLines("998");
        assertThat(kubernetes
                        .attemptKubectl(inNamespace("exec", "ringmaster-0", "--", "touch", "/opt/x"))
                        .output())
                .contains("Read-only file system");
        assertThat(exec("stat", "-c", "%A", "/var/lib/ringmaster/token")).startsWith("-rw-------");
        assertThat(kubernetes
                        .attemptKubectl(inNamespace("run", "root", "--image=localhost/none:1"))
                        .output())
                .contains("violates PodSecurity \"restricted:latest\"");
        String account = "--as=system:serviceaccount:ringmaster:ringmaster";
        assertThat(kubernetes
                        .attemptKubectl("auth", "can-i", "get", "secrets", "-n", "kube-system", account)
                        .output())
                .isEqualToIgnoringNewLines("no");
        assertThat(kubernetes
                        .attemptKubectl("auth", "can-i", "create", "pods", "-n", "default", account)
                        .output())
                .isEqualToIgnoringNewLines("no");
    }

    @Test
    @Order(2)
    void a_cluster_is_declared_through_the_Service() {
        server.declare(SPEC);
        server.whole("rides", 3, SOON);
        assertThat(pods(".status.phase").lines()).hasSize(3).allMatch(line -> line.endsWith("Running"));
        assertThat(exec("ringmaster", "cluster", "status", "rides")).contains("HEALTHY");
        exec(
                "ringmaster",
                "cql",
                "rides",
                "-e",
                "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3};"
                        + " CREATE TABLE trips.t (k int PRIMARY KEY);"
                        + " INSERT INTO trips.t (k) VALUES (4711)");
    }

    @Test
    @Order(3)
    void a_server_that_is_deleted_returns_with_its_volume_and_the_ring_does_not_notice() {
        String nodes = pods(".metadata.uid") + pods(".status.containerStatuses[0].restartCount");
        ClusterStatus before = server.status("rides");
        String former = uid("ringmaster-0");
        server.close();
        kubectl("delete", "pod", "ringmaster-0");
        reachServer();
        assertThat(uid("ringmaster-0")).isNotEqualTo(former);
        ClusterStatus after = server.whole("rides", 3, SOON);
        assertThat(after.specVersion()).isEqualTo(before.specVersion());
        assertThat(pods(".metadata.uid") + pods(".status.containerStatuses[0].restartCount"))
                .isEqualTo(nodes);
        assertThat(exec("ringmaster", "cql", "rides", "-e", "SELECT k FROM trips.t"))
                .contains("4711");
    }

    @Test
    @Order(4)
    void the_next_commands_reach_the_nodes_and_a_pod_that_is_made_again_finds_its_seeds() {
        server.run("node", "restart", "rides/dc1/node-0", "--yes", "--wait");
        String former = uid("rides-dc1-node-1");
        kubectl("delete", "pod", "rides-dc1-node-1");
        Patience.until(
                "another pod of node-1 is ready",
                SOON,
                () -> pods(".metadata.uid") + pods(".status.containerStatuses[0].ready"),
                pods -> !pods.contains(former)
                        && pods.lines().filter(l -> l.endsWith(" true")).count() == 3);
        server.whole("rides", 3, SOON);
        assertThat(exec("ringmaster", "cql", "rides", "-e", "SELECT k FROM trips.t"))
                .contains("4711");
        assertThat(kubectl("logs", "ringmaster-0")).doesNotContainIgnoringCase("forbidden");
    }

    @Test
    @Order(5)
    void its_rights_are_enough_to_destroy_a_cluster() {
        server.run("cluster", "delete", "rides", "--destroy-data", "--yes", "--wait");
        assertThat(kubectl("get", "pods,pvc", "-o", "name").lines())
                .containsExactlyInAnyOrder("pod/ringmaster-0", "persistentvolumeclaim/state-ringmaster-0");
        Patience.until(
                "all volumes but that of the server can be claimed again",
                SOON,
                () -> kubernetes.kubectl("get", "pv", "-o", "jsonpath={.items[*].status.phase}"),
                phases ->
                        Stream.of(phases.split(" ")).filter("Available"::equals).count() == 5);
    }
}
