package io.ringmaster.executor.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTargetBuilder;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The only node of a cluster, on an unused loopback address, run by a real executor. A small seed server in this
 * process makes it a seed. All connections use TLS. CQL is used in clear text, too, so that the archives have the
 * classes of both.
 */
final class ThrowawayNode implements AutoCloseable {
    private static final int TIMEOUT_MS = 10_000;
    private static final long MEBIBYTE = 1024 * 1024;
    private static final NodeId NODE = NodeId.of("archive/dc1/node-0");
    private static final NodePorts PORTS = new NodePorts(7000, 7001, 9042, 7070);

    private final NodeFiles files;
    private final String address;
    private final String token;
    private final HttpsServer seeds;
    private final ThrowawayIdentity identity;
    private final SSLSocketFactory asServer;
    private final Process executor;

    private ThrowawayNode(
            NodeFiles files,
            String address,
            String token,
            HttpsServer seeds,
            ThrowawayIdentity identity,
            Process executor) {
        this.files = files;
        this.address = address;
        this.token = token;
        this.seeds = seeds;
        this.identity = identity;
        this.asServer = identity.asServer().getSocketFactory();
        this.executor = executor;
    }

    /**
     * @param archive the file that the daemon's JVM writes at its end
     * @param executorArchive the file that the executor's JVM writes at its end, or null for none
     */
    static ThrowawayNode start(
            Installation installation, ExecutorJvm jvm, Path directory, Path archive, @Nullable Path executorArchive)
            throws IOException, InterruptedException {
        SecureRandom random = new SecureRandom();
        String address =
                "127." + (200 + random.nextInt(50)) + "." + random.nextInt(256) + "." + (1 + random.nextInt(254));
        ThrowawayIdentity identity = ThrowawayIdentity.make(installation.java(), directory, NODE, address);
        HttpsServer seeds = seeds(address, identity.asServer());
        NodeFiles files = new NodeFiles(directory);
        identity.write(files, door(directory));
        NodeTarget target = target(address, seeds.getAddress().getPort(), archive);
        byte[] secret = new byte[16];
        random.nextBytes(secret);
        String token = HexFormat.of().formatHex(secret);
        Files.writeString(files.token(), token);
        Files.write(files.target(), Json.bytes(target));
        Process executor = new ProcessBuilder(command(installation, jvm, address, directory, executorArchive))
                .redirectErrorStream(true)
                .redirectOutput(files.executorLog().toFile())
                .start();
        return new ThrowawayNode(files, address, token, seeds, identity, executor);
    }

    private static HttpsServer seeds(String address, SSLContext context) throws IOException {
        HttpsServer seeds = HttpsServer.create(new InetSocketAddress(address, 0), 0);
        seeds.setHttpsConfigurator(new HttpsConfigurator(context));
        seeds.createContext("/api/v1/seeds", http -> {
            byte[] answer = "{\"isSeed\":true,\"seeds\":[]}".getBytes(StandardCharsets.US_ASCII);
            http.sendResponseHeaders(200, answer.length);
            http.getResponseBody().write(answer);
            http.close();
        });
        seeds.start();
        return seeds;
    }

    private static Path door(Path directory) {
        return directory.resolve("door");
    }

    private static NodeTarget target(String address, int seedsPort, Path archive) {
        NodeTarget clearText = new NodeTarget(
                NODE,
                1,
                1,
                true,
                0,
                true,
                false,
                "5.0.9",
                Preset.DEVELOPMENT,
                new RackName("r1"),
                PORTS,
                List.of("0"),
                null,
                new NodeResources(1000, 768 * MEBIBYTE, 256 * MEBIBYTE, 1024 * MEBIBYTE),
                new JvmSpec(JvmSpec.Collector.SERIAL, List.of("-XX:ArchiveClassesAtExit=" + archive)),
                Map.of(),
                List.of("https://" + address + ":" + seedsPort),
                null,
                null);
        return NodeTargetBuilder.builder(clearText)
                .tls(new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.OPTIONAL))
                .build();
    }

    private static List<String> command(
            Installation installation,
            ExecutorJvm jvm,
            String address,
            Path directory,
            @Nullable Path executorArchive) {
        List<String> command = new ArrayList<>();
        command.add(installation.java().toString());
        command.addAll(jvm.options());
        if (executorArchive != null) {
            command.add("-XX:ArchiveClassesAtExit=" + executorArchive);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), jvm.mainClass()));
        command.addAll(List.of("--node", NODE.value(), "--listen", address));
        command.addAll(List.of("--port", String.valueOf(PORTS.executor())));
        command.addAll(List.of("--directory", directory.toString()));
        command.addAll(List.of("--door", door(directory).toString()));
        command.addAll(List.of("--jars", installation.jars().toString()));
        command.addAll(List.of("--companion", installation.companion().toString()));
        command.addAll(List.of("--java", installation.java().toString()));
        return command;
    }

    /** @throws IOException the node has a problem or is not NORMAL in time */
    void awaitNormal(Duration timeout, Consumer<String> progress) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        String last = "";
        long revision = 0;
        while (System.nanoTime() < deadline) {
            Optional<JsonNode> answer = status(revision);
            if (answer.isEmpty()) {
                if (!executor.isAlive()) {
                    throw new IOException("the executor ended: " + Files.readString(files.executorLog()));
                }
                Thread.sleep(100);
                continue;
            }
            revision = answer.get().get("revision").asLong();
            JsonNode status = answer.get().get("status");
            if (status.hasNonNull("problem")) {
                throw new IOException("the throwaway node does not start: " + status.get("problem"));
            }
            if (status.get("mode").asText().equals("NORMAL")) {
                return;
            }
            String activity = status.get("activity").asText();
            if (!activity.equals(last)) {
                progress.accept("throwaway node: " + activity);
                last = activity;
            }
        }
        throw new IOException(
                "the throwaway node is not NORMAL after " + timeout.toSeconds() + " s; last activity: " + last);
    }

    /** Empty while the executor does not listen yet. */
    private Optional<JsonNode> status(long revision) {
        try {
            return Optional.of(Json.mapper().readTree(ask("/v1/status?after=" + revision + "&wait_ms=1000")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private String ask(String path) throws IOException {
        URI uri = URI.create("https://" + address + ":" + PORTS.executor() + path);
        var connection = (HttpsURLConnection) uri.toURL().openConnection(java.net.Proxy.NO_PROXY);
        connection.setSSLSocketFactory(asServer);
        connection.setConnectTimeout(1000);
        connection.setReadTimeout(5000);
        connection.setRequestProperty("Authorization", "Bearer " + token);
        return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Sends the requests that every node gets soon after its start. */
    void exercise() throws IOException {
        ask("/v1/metrics");
        ask("/v1/logs?lines=10");
        // the first node of a cluster is closed to clients
        new CompanionClient(files.socket())
                .call(daemon().pid(), "POST /clients/open", new byte[0], Duration.ofSeconds(10));
        CqlExercise.run(connect(PORTS.nativeTransport()));
        CqlExercise.run(connectByTls(PORTS.nativeTransport()));
        try (SSLSocket other = connectByTls(PORTS.storage())) {
            other.startHandshake();
        }
    }

    private Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(TIMEOUT_MS);
        socket.connect(new InetSocketAddress(address, port), TIMEOUT_MS);
        return socket;
    }

    private SSLSocket connectByTls(int port) throws IOException {
        return (SSLSocket) identity.asNode().getSocketFactory().createSocket(connect(port), address, port, true);
    }

    /** Ends the executor first, as it would restart the daemon. Both JVMs write their archives at their end. */
    void endOrderly(Duration timeout) throws IOException, InterruptedException {
        executor.destroy();
        ProcessIdentity daemon = daemon();
        new CompanionClient(files.socket()).call(daemon.pid(), "POST /stop", new byte[0], Duration.ofSeconds(10));
        long deadline = System.nanoTime() + timeout.toNanos();
        while (daemon.isAlive() || executor.isAlive()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the JVMs have not ended after " + timeout.toSeconds() + " s");
            }
            Thread.sleep(50);
        }
    }

    private ProcessIdentity daemon() throws IOException {
        return ProcessIdentity.read(files.daemonPid())
                .orElseThrow(() -> new IOException(files.daemonPid() + " is gone"));
    }

    /** Kills the processes that still run. */
    @Override
    public void close() throws IOException {
        seeds.stop(0);
        executor.destroyForcibly();
        ProcessIdentity.read(files.daemonPid())
                .filter(ProcessIdentity::isAlive)
                .flatMap(daemon -> ProcessHandle.of(daemon.pid()))
                .ifPresent(daemon -> {
                    daemon.destroyForcibly();
                    daemon.onExit().join();
                });
    }
}
