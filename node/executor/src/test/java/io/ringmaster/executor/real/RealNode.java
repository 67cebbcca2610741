package io.ringmaster.executor.real;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.executor.ExecutorMain;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.container.Container;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An executor as its own process, with the daemon that it starts; {@link #close} ends both. */
final class RealNode implements AutoCloseable {
    /** It serves clients. */
    static final Predicate<NodeStatus> OPEN = s -> s.ring() != null && s.ring().clientAccess() == ClientAccess.OPEN;

    /** A JVM option: a node alone has no gossip to settle, which would take 2.5 s of each start. */
    static final String ALONE = "-Dcassandra.skip_wait_for_gossip_to_settle=0";

    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    private final HttpClient client = HttpClient.newHttpClient();
    private final NodeFiles files;
    private final Path jars;
    private final Path companion;
    private final NodeTarget first;
    private String address;
    private @Nullable Path engine;
    private @Nullable Path transfer;
    private @Nullable Path locations;
    private Map<String, String> environment = Map.of();
    private String classPath = System.getProperty("java.class.path");
    private @Nullable Process executor;
    private boolean isFirstProcess;

    private RealNode(Path directory, Path jars, Path companion, String address, NodeTarget first) throws IOException {
        this.files = new NodeFiles(Files.createDirectories(directory));
        this.jars = jars;
        this.companion = companion;
        this.address = address;
        this.first = first;
        Files.writeString(files.token(), "secret");
        Files.write(files.target(), Json.bytes(first));
    }

    /** A node that has a folder of the directory for itself. */
    static RealNode in(Path directory, String address, NodeTarget first) throws IOException {
        return new RealNode(
                directory.resolve("rides-dc1-node-0"),
                CassandraJars.link(Path.of("target", "cassandra-jars").toAbsolutePath()),
                CassandraJars.companion(directory),
                address,
                first);
    }

    /** Gives the executors started from now on the RocksDB engine. */
    void installEngine(Path directory) {
        engine = directory;
    }

    /** Gives the executors started from now on the transfer program, and the directory of the locations. */
    void installTransfer(Path program, Path directory) {
        transfer = program;
        locations = directory;
    }

    /** The executors started from now on, and their daemons, have these variables, too. */
    void inherit(Map<String, String> variables) {
        environment = Map.copyOf(variables);
    }

    /** The executors started from now on run from jars alone, as installed ones do. */
    void packClasses(Path directory) throws IOException {
        classPath = CassandraJars.packed(directory);
    }

    /** The executors started from now on listen there. */
    void moveTo(String other) {
        address = other;
    }

    NodeFiles files() {
        return files;
    }

    void startExecutor() throws IOException {
        var unused = start(List.of("setsid"), List.of(), List.of(), files.executorLog());
    }

    /**
     * Starts the executor as the main process of a container, if this user may make a namespace of processes, else as
     * any process. Its token is in the given file.
     *
     * @return the executor, or the process that waits for it and has the same exit code
     */
    Process startContained(Path token, Path output) throws IOException, InterruptedException {
        List<String> namespace = List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child");
        List<String> attempt = new ArrayList<>(namespace);
        attempt.add("true");
        boolean allowed = new ProcessBuilder(attempt).start().waitFor() == 0;
        List<String> options = List.of("--contained", "yes", "--token", token.toString());
        isFirstProcess = allowed;
        return start(allowed ? namespace : List.of("setsid"), Container.JVM_OPTIONS, options, output);
    }

    /** Sends SIGTERM to the contained executor, as a container runtime does. */
    void terminate() {
        ProcessHandle outer = Objects.requireNonNull(executor).toHandle();
        ProcessHandle contained = isFirstProcess ? outer.children().findFirst().orElseThrow() : outer;
        contained.destroy();
    }

    /** Starts one more executor in the same directory, which should not stay. */
    Process startSecondExecutor(Path output) throws IOException {
        return launch(List.of("setsid"), List.of(), List.of(), output);
    }

    private Process start(List<String> prefix, List<String> jvm, List<String> options, Path output) throws IOException {
        Process started = launch(prefix, jvm, options, output);
        executor = started;
        return started;
    }

    private Process launch(List<String> prefix, List<String> jvm, List<String> options, Path output)
            throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(prefix);
        command.add(java);
        command.addAll(ExecutorMain.JVM_OPTIONS);
        command.addAll(jvm);
        command.addAll(List.of("-cp", classPath, ExecutorMain.class.getName()));
        command.addAll(List.of("--node", first.node().value(), "--listen", address));
        command.addAll(List.of("--port", String.valueOf(first.ports().executor())));
        command.addAll(List.of("--directory", files.allocation().toString(), "--jars", jars.toString()));
        command.addAll(List.of("--companion", companion.toString(), "--java", java));
        if (engine != null) {
            command.addAll(List.of("--engine", engine.toString()));
        }
        if (transfer != null) {
            command.addAll(List.of("--transfer", transfer.toString(), "--locations", String.valueOf(locations)));
        }
        command.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Starts an executor unless one runs. */
    void ensureExecutor() throws IOException {
        if (executor == null || !executor.isAlive()) {
            startExecutor();
        }
    }

    void killExecutor() throws InterruptedException {
        Objects.requireNonNull(executor).destroyForcibly().waitFor();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://" + address + ":" + first.ports().executor() + path))
                .header("Authorization", "Bearer secret")
                .timeout(Duration.ofSeconds(90));
    }

    HttpResponse<String> put(NodeTarget target) throws IOException, InterruptedException {
        HttpRequest request = request("/v1/target")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(target)))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    String get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** The status of the answer to a probe, which carries no token. */
    int probe(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://" + address + ":" + first.ports().executor() + path);
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    HttpResponse<String> manage(String json) throws IOException, InterruptedException {
        HttpRequest request = request("/v1/management")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** Follows the status by long polls until the predicate holds. */
    NodeStatus await(String what, Predicate<NodeStatus> wanted) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        long revision = 0;
        NodeStatus last = null;
        while (System.nanoTime() < deadline) {
            try {
                JsonNode posted = Json.mapper().readTree(get("/v1/status?after=" + revision + "&wait_ms=1000"));
                revision = posted.get("revision").asLong();
                last = Json.mapper().treeToValue(posted.get("status"), NodeStatus.class);
                if (wanted.test(last)) {
                    return last;
                }
            } catch (java.net.ConnectException e) {
                Thread.sleep(50);
            }
        }
        throw new AssertionError("never " + what + " within " + TIMEOUT.toSeconds() + " s; last: " + last + "\n"
                + Files.readString(files.executorLog()));
    }

    /** Kills executor and daemon. */
    @Override
    public void close() throws IOException {
        if (executor != null) {
            executor.destroyForcibly();
            try {
                executor.waitFor(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        ProcessIdentity.read(files.daemonPid())
                .filter(ProcessIdentity::isAlive)
                .flatMap(daemon -> ProcessHandle.of(daemon.pid()))
                .ifPresent(daemon -> {
                    daemon.destroyForcibly();
                    daemon.onExit().orTimeout(10, TimeUnit.SECONDS).join();
                });
    }
}
