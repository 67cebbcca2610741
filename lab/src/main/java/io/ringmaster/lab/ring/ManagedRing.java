package io.ringmaster.lab.ring;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.json.Json;
import io.ringmaster.lab.machine.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A ring that Ringmaster runs: a playground in a home of its own, started and changed by the commands that a user
 * types. The playground of the user, if one runs, is left alone.
 */
public final class ManagedRing implements LabRing {
    /** The cluster of a playground. */
    public static final String CLUSTER = "rides";

    /** The option for TLS everywhere, and logins. */
    public static final String TLS = "--tls";

    private static final Duration START = Duration.ofMinutes(20);
    private static final Duration COMMAND = Duration.ofMinutes(10);
    private static final Duration DOWN = Duration.ofMinutes(2);

    private final Path root;
    private final Path home;
    private final Path log;

    private ManagedRing(Path root, Path home, Path log) {
        this.root = root;
        this.home = home;
        this.log = log;
    }

    /**
     * Nothing runs yet; {@link #up} starts it. Separate, so that the bench can close what an interrupted start leaves.
     *
     * @param root folder of the checkout
     * @param log gets what the commands say
     */
    public static ManagedRing of(Path root, Path log) {
        return new ManagedRing(root, root.resolve(".build/lab/home"), log);
    }

    /**
     * Starts the playground, and returns when its cluster is up.
     *
     * @param options options of {@code ringmaster playground}; in clear text, unless {@link #TLS} is one of them
     */
    public ManagedRing up(String... options) throws IOException, InterruptedException {
        close(); // what a killed lab has left
        List<String> words = new ArrayList<>(List.of("playground", "--detach"));
        words.addAll(List.of(options));
        if (!words.contains(TLS)) {
            words.add("--no-tls");
        }
        ProgramRun.run(ringmaster(words), log, START);
        return this;
    }

    /**
     * Runs a command of {@code ringmaster}.
     *
     * @return what it printed
     */
    public String run(String... words) throws IOException, InterruptedException {
        return ProgramRun.run(ringmaster(List.of(words)), log, COMMAND);
    }

    /** The answer of {@code cluster status}. */
    public JsonNode status() throws IOException, InterruptedException {
        return Json.mapper().readTree(run("cluster", "status", CLUSTER, "-o", "json"));
    }

    @Override
    public List<String> addresses() throws IOException, InterruptedException {
        List<String> all = new ArrayList<>();
        for (JsonNode part : status().get("datacenters")) {
            all.addAll(hosts(part.get("datacenter").asText()));
        }
        return all;
    }

    /** The address that a node of a playground on loopback gets. */
    String loopback(int datacenter, int node) throws IOException {
        JsonNode state = Json.mapper()
                .readTree(home.resolve("playground/playground.json").toFile());
        return "127." + state.get("block").asInt() + "." + datacenter + "." + node;
    }

    /** Addresses of the nodes of a datacenter, for clients. */
    public List<String> hosts(String datacenter) throws IOException, InterruptedException {
        List<String> hosts = new ArrayList<>();
        for (JsonNode part : status().get("datacenters")) {
            if (part.get("datacenter").asText().equals(datacenter)) {
                part.get("nodes")
                        .forEach(node ->
                                hosts.add(node.get("cqlEndpoint").asText().split(":", 2)[0]));
            }
        }
        return hosts;
    }

    /** The spec that the playground started with, for changes. */
    public Path spec() {
        return home.resolve("playground").resolve(CLUSTER + ".yaml");
    }

    /** Process ids of the Cassandra daemons of a datacenter. */
    public List<Long> daemons(String datacenter) throws IOException {
        return pids(datacenter, "volume/daemon.pid");
    }

    /** Process ids of the executors of a datacenter. */
    public List<Long> executors(String datacenter) throws IOException {
        return pids(datacenter, "executor.pid");
    }

    private List<Long> pids(String datacenter, String name) throws IOException {
        Path folder = home.resolve("playground").resolve(datacenter).resolve("allocations");
        List<Path> files;
        try (Stream<Path> allocations = Files.list(folder)) {
            files = allocations
                    .map(a -> a.resolve(name))
                    .filter(Files::exists)
                    .sorted()
                    .toList();
        }
        List<Long> pids = new ArrayList<>();
        for (Path file : files) {
            pids.add(Long.parseLong(Files.readString(file).strip().split("\\s+", 2)[0]));
        }
        return pids;
    }

    public Path home() {
        return home;
    }

    private ProcessBuilder ringmaster(List<String> words) throws IOException {
        Files.createDirectories(home);
        List<String> command = new ArrayList<>();
        command.add(root.resolve("ringmaster").toString());
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("RINGMASTER_HOME", home.toString());
        builder.environment().remove("RINGMASTER_SERVER");
        return builder;
    }

    /** Stops it; its data are deleted. Nothing to stop is no failure. */
    @Override
    public void close() throws IOException {
        try {
            if (Files.exists(home.resolve("playground"))) {
                ProgramRun.run(ringmaster(List.of("playground", "down")), log, DOWN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(
                    "interrupted while the playground stops; stop it: RINGMASTER_HOME=" + home
                            + " ./ringmaster playground down",
                    e);
        }
    }
}
