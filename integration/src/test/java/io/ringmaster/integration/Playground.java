package io.ringmaster.integration;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.ringmaster.cli.session.KeptServers;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.BackupInfo;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A playground as a user starts it, through {@code ./ringmaster}, with a home of its own under {@code .build}, which
 * {@code ./dev} chooses. The home's cache stays between runs; everything else goes with {@link #close}.
 */
final class Playground implements AutoCloseable {
    static final ClusterName RIDES = new ClusterName("rides");
    static final Path ROOT = root();
    static final Path HOME = ROOT.resolve(System.getenv().getOrDefault("RINGMASTER_TEST_HOME", ".build/test-home"));
    private static final Pattern LISTEN = Pattern.compile("(?m)^listen: *\"?([0-9.]+:[0-9]+)");
    private static final Duration COMMAND_LIMIT = Duration.ofMinutes(15);

    private Playground() {}

    /**
     * Starts the kind of cluster that the class of tests declares by {@link RealNodes}, and waits until it is up, as
     * {@code --detach} promises.
     */
    static Playground up(String... options) {
        return byDefault(concat(PlaygroundKind.options(), options).toArray(String[]::new));
    }

    /** A playground with the defaults that users get. */
    static Playground byDefault(String... options) {
        var playground = new Playground();
        clear();
        try {
            playground.run(concat(List.of("playground", "--detach"), options));
            return playground;
        } catch (AssertionError e) {
            playground.close();
            throw e;
        }
    }

    /** Starts one and does not wait; for what happens in the middle. */
    static Process starting(String... options) {
        clear();
        List<String> command = new ArrayList<>(List.of("playground"));
        command.addAll(PlaygroundKind.options());
        return start(concat(command, options), HOME.resolve("starting.log"));
    }

    /** Ends what a broken-off run left, and deletes its data and logins, also those that were to be kept. */
    static void clear() {
        attempt(List.of("playground", "down"));
        try {
            new ProcessBuilder(
                            "rm",
                            "-rf",
                            "--one-file-system",
                            HOME.resolve("playground").toString(),
                            HOME.resolve("servers").toString())
                    .start()
                    .onExit()
                    .orTimeout(1, TimeUnit.MINUTES)
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Playground attached() {
        return new Playground();
    }

    /** Runs a command that must succeed, and returns what it printed. */
    String run(String... command) {
        return run(List.of(command));
    }

    String run(List<String> command) {
        Result result = attempt(command);
        if (result.exit() != 0) {
            throw new AssertionError(command + " ended with " + result.exit() + ":\n" + result.output());
        }
        return result.output();
    }

    record Result(int exit, String output) {}

    static Result attempt(List<String> command) {
        Path log = HOME.resolve("command.log");
        Process process = start(command, log);
        try {
            if (!process.waitFor(COMMAND_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " hangs:\n" + Files.readString(log));
            }
            return new Result(process.exitValue(), Files.readString(log));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Starts a command and does not wait for its end. */
    static Process start(List<String> command, Path log) {
        try {
            Files.createDirectories(HOME);
            var builder = new ProcessBuilder(
                    concat(List.of(ROOT.resolve("ringmaster").toString()), command.toArray(String[]::new)));
            builder.environment().put("RINGMASTER_HOME", HOME.toString());
            builder.environment().remove("RINGMASTER_SERVER");
            metronome().ifPresent(m -> builder.environment().put("METRONOME", m.toString()));
            return builder.redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start ./ringmaster", e);
        }
    }

    /** The load generator, if one is built; that of its own tests will do. */
    static Optional<Path> metronome() {
        return Stream.of("release", "debug")
                .map(profile -> ROOT.resolve("metronome/target/" + profile + "/metronome"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    RingmasterClient client(String datacenter) {
        try {
            Path folder = HOME.resolve("playground").resolve(datacenter);
            String config = Files.readString(folder.resolve("server.yaml"));
            var listen = LISTEN.matcher(config);
            if (!listen.find()) {
                throw new AssertionError("no listen address in " + folder.resolve("server.yaml"));
            }
            String token = Files.readString(HOME.resolve("token")).strip();
            String scheme = config.contains("\ntls:") ? "https" : "http";
            return new KeptServers(HOME)
                    .client(URI.create(scheme + "://" + listen.group(1)), token, Duration.ofSeconds(20));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The spec that holds, with these parameters of cassandra.yaml and no others: lines that begin with two spaces. */
    String specWith(String parameters) {
        String others = client("dc1").spec(RIDES).source().replaceAll("(?m)^cassandra_yaml:.*(\\n +.*)*\\n?", "");
        return others + "\ncassandra_yaml:\n" + parameters;
    }

    ClusterStatus status() {
        return status(RIDES);
    }

    private ClusterStatus status(ClusterName cluster) {
        return client("dc1").status(cluster, Scope.FLEET);
    }

    /** Waits until every node is NORMAL, the schema agrees, no plan is at work, no datacenter leaves, all is well. */
    ClusterStatus whole(int nodes, Duration limit) {
        return whole(RIDES, nodes, limit);
    }

    ClusterStatus whole(ClusterName cluster, int nodes, Duration limit) {
        return whole(cluster, nodes, limit, s -> s.findings().isEmpty());
    }

    /** The same of a cluster that was restored from a backup: each node owes a repair, and nothing else is wrong. */
    ClusterStatus restored(ClusterName cluster, int nodes, Duration limit) {
        return whole(
                cluster,
                nodes,
                limit,
                s -> s.findings().size() == nodes
                        && s.findings().stream().allMatch(f -> f.message().startsWith("owes a repair")));
    }

    private ClusterStatus whole(ClusterName cluster, int nodes, Duration limit, Predicate<ClusterStatus> well) {
        ClusterStatus whole = Patience.until(
                nodes + " nodes of " + cluster + " NORMAL and healthy",
                limit,
                () -> status(cluster),
                s -> s.normal() == nodes
                        && s.nodes() == nodes
                        && s.schemaVersions().size() == 1
                        && s.created()
                        && well.test(s)
                        && s.datacenters().stream().noneMatch(ClusterStatus.Part::leaves)
                        && s.plans().stream().allMatch(p -> p.status().isOver()));
        PlaygroundKind.assertDeclared(client("dc1"), cluster);
        return whole;
    }

    /** The machine of a node of {@link #RIDES}. */
    String machineOf(String datacenter, int index) {
        return status().datacenters().stream()
                .flatMap(part -> part.nodes().stream())
                .filter(n -> n.node().datacenter().value().equals(datacenter)
                        && n.node().index() == index)
                .map(n -> String.valueOf(n.machine()))
                .findFirst()
                .orElseThrow();
    }

    /** The backups in the location of a playground that were made since: those of earlier runs are there, too. */
    List<BackupInfo> backups(ClusterName cluster, Instant since) {
        return client("dc1").backups("local", cluster).stream()
                .filter(backup -> backup.from().isAfter(since))
                .toList();
    }

    CqlAccess access(ClusterName cluster) {
        return CqlAccess.of(client("dc1"), cluster);
    }

    /** A client of a playground's cluster that knows all nodes of one datacenter. */
    static CqlSession session(ClusterStatus status, String datacenter) {
        return session(status, datacenter, attached().access(status.cluster()));
    }

    static CqlSession session(ClusterStatus status, String datacenter, CqlAccess access) {
        var builder = CqlSession.builder()
                .withLocalDatacenter(datacenter)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                        .build());
        access.applyTo(builder);
        for (var part : status.datacenters()) {
            if (part.datacenter().value().equals(datacenter)) {
                for (NodeState node : part.nodes()) {
                    URI endpoint = URI.create("cql://" + node.cqlEndpoint());
                    builder.addContactPoint(new InetSocketAddress(endpoint.getHost(), endpoint.getPort()));
                }
            }
        }
        return builder.build();
    }

    /**
     * A pattern for {@code address:port} of nodes, in any block of loopback addresses.
     *
     * @param datacenter its number
     * @param machine its number, or a pattern
     */
    static String endpoint(int datacenter, String machine) {
        return "127\\.\\d+\\." + datacenter + "\\." + machine + ":\\d+";
    }

    Path allocation(String datacenter, int index) {
        return allocation(RIDES, datacenter, index);
    }

    Path allocation(ClusterName cluster, String datacenter, int index) {
        return HOME.resolve(
                "playground/%s/allocations/%s-%s-node-%d".formatted(datacenter, cluster, datacenter, index));
    }

    ProcessHandle server(String datacenter) {
        return Processes.only(
                "ringmaster.server.ServerMain", HOME.resolve("playground").resolve(datacenter) + "/");
    }

    ProcessHandle executor(String datacenter, int index) {
        return Processes.only("ExecutorMain", allocation(datacenter, index).toString());
    }

    /** The programs that send or fetch the data of backups; none while no node does. */
    List<ProcessHandle> transfers() {
        return Processes.mentioning("ExecutorMain", HOME.toString()).stream()
                .flatMap(ProcessHandle::descendants)
                .filter(p -> Processes.commandLine(p.pid()).contains("io.ringmaster.transfer.TransferMain"))
                .toList();
    }

    ProcessHandle daemon(String datacenter, int index) {
        return Processes.only("companion.Launch", allocation(datacenter, index).toString());
    }

    @Override
    public void close() {
        attempt(List.of("playground", "down"));
    }

    private static List<String> concat(List<String> first, String... more) {
        var all = new ArrayList<>(first);
        all.addAll(List.of(more));
        return all;
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("ringmaster")) || !Files.exists(folder.resolve("dev"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new AssertionError("the tests must run inside the repository");
            }
        }
        return folder;
    }

    /** The text of a file, for assertions on logs. */
    static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
