package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.host.FileTree;
import io.ringmaster.host.FreePorts;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.ports.TestCommand;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A server with {@code tls: on} that a user configures and starts, outside of any playground, whose certificates live
 * for a minute. Its machines are addresses of this computer.
 */
final class LocalServer implements AutoCloseable {
    private static final Duration SOON = Duration.ofMinutes(4);

    private final Path folder;
    private final InetSocketAddress endpoint =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next());

    private LocalServer(Path folder) {
        this.folder = folder;
    }

    /**
     * Starts one with an empty store.
     *
     * @param name of its folder
     * @param machines the address of each
     */
    static LocalServer with(String name, String... machines) throws IOException {
        var server = new LocalServer(Playground.HOME.resolve("server-" + name));
        server.close(); // what a broken-off run left
        FileTree.delete(server.folder);
        Files.createDirectories(server.folder);
        Files.writeString(server.folder.resolve("server.yaml"), server.configuration(List.of(machines)));
        server.start();
        try {
            Patience.until("the server", SOON, () -> server.client().health(), health -> health.poolSeen());
            return server;
        } catch (AssertionError e) {
            server.close();
            throw e;
        }
    }

    private String configuration(List<String> machines) {
        String dist = System.getProperty(
                "ringmaster.dist", Playground.ROOT.resolve(".build/dist").toString());
        return """
                datacenter: dc1
                listen: 127.0.0.1:%d
                tls: on
                seed_listen: 127.0.0.1:%d
                certificate_life: 1m
                state_directory: state
                token_file: token
                zookeeper: {embedded: true}
                pool:
                  local:
                    dist: %s
                    cache: %s
                    machines:
                """
                        .formatted(endpoint.getPort(), FreePorts.next(), dist, Playground.HOME.resolve("cache"))
                + machines.stream().map(LocalServer::machine).collect(Collectors.joining());
    }

    private static String machine(String address) {
        return "      - {name: m%s, rack: r1, address: %s, cpus: 2, memory: 4GiB, disk: 8GiB, ports: 7000-9999}\n"
                .formatted(address.replaceAll(".*\\.", ""), address);
    }

    /** Does not wait. */
    void start() {
        var builder = new ProcessBuilder(
                        Playground.ROOT.resolve("ringmaster").toString(),
                        "server",
                        "start",
                        "--config",
                        folder.resolve("server.yaml").toString())
                .directory(folder.toFile());
        builder.environment().put("RINGMASTER_HOME", folder.toString());
        var unused = TestCommand.start(builder, folder.resolve("server.out"));
    }

    RingmasterClient client() {
        try {
            String token = Files.readString(folder.resolve("token")).strip();
            var tls = TlsContexts.of(null, new LiveTrust(trust()));
            URI url = URI.create("https://127.0.0.1:" + endpoint.getPort());
            return new RingmasterClient(url, token, Duration.ofSeconds(20), tls);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<X509Certificate> trust() throws IOException {
        return Pem.certificatesIn(folder.resolve("trust"));
    }

    /** The certificate that the API serves. */
    X509Certificate certificate() {
        try {
            return new CqlPort(endpoint).handshake(trust());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until every node is NORMAL and no plan is at work. */
    ClusterStatus whole(ClusterName cluster, int nodes) {
        return Patience.until(
                nodes + " nodes of " + cluster + " NORMAL",
                SOON,
                () -> client().status(cluster, Scope.FLEET),
                s -> s.normal() == nodes
                        && s.created()
                        && s.plans().stream().allMatch(p -> p.status().isOver()));
    }

    Path state() {
        return folder.resolve("state");
    }

    Path allocation(ClusterName cluster, int index) {
        return state().resolve("allocations/%s-dc1-node-%d".formatted(cluster, index));
    }

    ProcessHandle process() {
        return Processes.only("ServerMain", folder.toString());
    }

    /** The node's Cassandra. */
    ProcessHandle daemon(ClusterName cluster, int index) {
        return Processes.only("companion.Launch", allocation(cluster, index).toString());
    }

    /** Ends the server, then its executors and daemons: it would start them again. */
    @Override
    public void close() {
        for (String program : List.of("ServerMain", "ExecutorMain", "")) {
            Processes.mentioning(program, folder.toString()).forEach(Processes::kill9);
        }
        assertThat(Processes.mentioning(folder.toString())).isEmpty();
    }
}
