package io.ringmaster.server;

import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.server.config.ConfigException;
import io.ringmaster.server.config.ConfigReader;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import io.ringmaster.wire.client.UnreachableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Runs a server in a temporary directory and sends it common requests by TLS, so that a class data archive contains
 * their classes. The same archive serves servers that listen in clear text.
 */
final class ServerWarmUp {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final ClusterName CLUSTER = new ClusterName("warmup");
    /** With a peer at the discard port, which refuses connections. */
    private static final String CONFIG =
            """
            datacenter: dc1
            listen: 127.0.0.1:%d
            state_directory: state
            token_file: token
            tls: on
            peers: [{datacenter: dc2, url: "https://127.0.0.1:9"}]
            zookeeper: {embedded: true}
            pool:
              local:
                dist: none
                cache: cache
                machines:
                  - {name: m1, rack: r1, address: 127.9.9.9, cpus: 2, memory: 4GiB, disk: 20GiB, ports: 7000-9999}
            """;

    private static final String SPEC =
            """
            cluster: %s
            cassandra: 5.0.9
            datacenters: {dc1: {nodes: 1, seeds: 1}}
            node: {cpus: 1, memory: 1GiB, heap: 256MiB, disk: 4GiB}
            """
                    .formatted(CLUSTER);

    private ServerWarmUp() {}

    /** @return whether the server ran and answered */
    static boolean run() {
        try {
            Path directory = Files.createTempDirectory("ringmaster-warm-up");
            try {
                runIn(directory);
            } finally {
                delete(directory);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (IOException | ConfigException | RefusedException | UnreachableException e) {
            System.err.println("server: " + ThrowableText.of(e));
            return false;
        }
    }

    private static void runIn(Path directory) throws IOException, ConfigException, InterruptedException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Path config = Files.writeString(directory.resolve("server.yaml"), CONFIG.formatted(port));
        try (Server server = ServerStartup.start(ConfigReader.read(config))) {
            String token = Files.readString(directory.resolve("token")).strip();
            var trust = TlsContexts.of(null, new LiveTrust(Pem.certificatesIn(directory.resolve("trust"))));
            var client = new RingmasterClient(URI.create("https://127.0.0.1:" + server.port()), token, LIMIT, trust);
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (client.health().state() != Health.State.LEADING && System.nanoTime() < deadline) {
                Thread.sleep(POLL.toMillis());
            }
            client.apply(CLUSTER, SPEC, null, ChangeOptions.DRY_RUN);
            client.clusters(Scope.FLEET);
            client.machines(Scope.FLEET);
            client.plans(CLUSTER, Scope.FLEET);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(Comparator.reverseOrder()).forEach(ServerWarmUp::deleteOne);
        }
    }

    private static void deleteOne(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
