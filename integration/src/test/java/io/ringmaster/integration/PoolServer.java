package io.ringmaster.integration;

import io.ringmaster.cli.session.KeptServers;
import io.ringmaster.host.FileTree;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.pool.mesos.MesosTestbed;
import io.ringmaster.ports.TestCommand;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server with a pool on a real Kubernetes or Mesos, as a user runs it: outside, or inside a Kubernetes and reached by
 * a port-forward. It has a folder for the commands of the test.
 */
final class PoolServer implements AutoCloseable {
    /** Until the server reports all machines, while two other tests run on two cores. */
    private static final Duration START = Duration.ofMinutes(3);

    private static final Duration COMMAND_LIMIT = Duration.ofMinutes(10);
    private static final List<String> COMMAND = List.of("server", "start", "--config", "server.yaml");

    private final Path folder;
    private final URI url;
    private Process process;
    private int deaths;

    private PoolServer(Path folder, URI url, Process process) {
        this.folder = folder;
        this.url = url;
        this.process = process;
    }

    /**
     * Starts one outside of a Kubernetes.
     *
     * @param name of the namespace and of the folder
     * @param pool the fields of {@code pool.kubernetes} that the test is about, such as {@code image: none}
     */
    static PoolServer in(KubernetesTestbed testbed, String name, int port, String... pool) {
        return in(testbed, name, URI.create("http://" + KubernetesTestbed.ADDRESS + ":" + port), pool);
    }

    /** The same with {@code tls: on} and nothing else about TLS. */
    static PoolServer encrypted(KubernetesTestbed testbed, String name, int port, String... pool) {
        return in(testbed, name, URI.create("https://" + KubernetesTestbed.ADDRESS + ":" + port), pool);
    }

    private static PoolServer in(KubernetesTestbed testbed, String name, URI url, String... pool) {
        List<String> section = new ArrayList<>(List.of(
                "kubernetes:",
                "  kubeconfig: " + testbed.kubeconfig(),
                "  namespace: " + name,
                "  image_pull_policy: Never"));
        List.of(pool).forEach(line -> section.add("  " + line));
        testbed.kubectl("create", "namespace", name);
        return outside(url, name, section, "n1");
    }

    /** Starts one for a Mesos, whose agents find the programs in the folders of this clone. */
    static PoolServer onMesos(String name, int port) {
        String dist = System.getProperty(
                "ringmaster.dist", Playground.ROOT.resolve(".build/dist").toString());
        List<String> section = List.of(
                "mesos:",
                "  masters: [\"" + MesosTestbed.MASTER + "\"]",
                "  role: " + MesosTestbed.ROLE,
                "  principal: ringmaster",
                "  rack_attribute: rack",
                "  dist: " + dist,
                "  jars: " + Playground.HOME.resolve("cache/cassandra/{cassandra}/lib"),
                "  java: " + Path.of(System.getProperty("java.home")).resolve("bin/java"));
        return outside(
                URI.create("http://" + MesosTestbed.ADDRESS + ":" + port), name, section, MesosTestbed.machine(1));
    }

    /** @param machine that it must see */
    private static PoolServer outside(URI url, String name, List<String> pool, String machine) {
        Path folder = emptyFolder(name); // what an earlier testbed knew is gone, and so must be its store
        try {
            List<String> config = new ArrayList<>(List.of(
                    "datacenter: dc1",
                    "listen: " + url.getAuthority(),
                    "tls: " + (url.getScheme().equals("https") ? "on" : "off"),
                    "state_directory: state",
                    "token_file: token",
                    "zookeeper: {embedded: true}",
                    "pool:"));
            pool.forEach(line -> config.add("  " + line));
            Files.write(folder.resolve("server.yaml"), config);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Process process = start(folder, url, "server.out");
        return new PoolServer(folder, url, process).open(machine);
    }

    /** Reaches the one that runs in a namespace; again after the end of its pod, which ends the port-forward. */
    static PoolServer inside(KubernetesTestbed testbed, String namespace, int port) {
        Path folder = emptyFolder(namespace);
        String token =
                testbed.kubectl("exec", "ringmaster-0", "-n", namespace, "--", "cat", "/var/lib/ringmaster/token");
        try {
            Files.writeString(folder.resolve("token"), token);
            String authority = testbed.kubectl(
                    "exec", "ringmaster-0", "-n", namespace, "--", "sh", "-c", "cat /var/lib/ringmaster/trust/*.pem");
            Path trust = Files.createDirectories(folder.resolve("trust"));
            Files.writeString(trust.resolve("ringmaster.pem"), authority);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Process forward = testbed.start(
                folder.resolve("forward.out"), "port-forward", "-n", namespace, "service/ringmaster", port + ":8080");
        return new PoolServer(folder, URI.create("https://127.0.0.1:" + port), forward).open("n1");
    }

    private static Path emptyFolder(String name) {
        Path folder = Playground.HOME.resolve("server-" + name);
        try {
            FileTree.delete(folder);
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it has seen the machines. */
    private PoolServer open(String machine) {
        Patience.until(
                "the pool of " + folder.getFileName() + " is open",
                START,
                () -> attempt("machine", "list"),
                result -> result.exit() == 0 && result.output().contains(machine));
        return this;
    }

    private static Process start(Path folder, URI url, String log) {
        return TestCommand.start(ringmaster(folder, url, COMMAND), folder.resolve(log));
    }

    private static ProcessBuilder ringmaster(Path folder, URI url, List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of(Playground.ROOT.resolve("ringmaster").toString()));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("RINGMASTER_HOME", folder.toString());
        builder.environment().put("RINGMASTER_SERVER", String.valueOf(url));
        return builder;
    }

    /** Declares a cluster; does not wait. */
    void declare(String spec) {
        write(spec);
        run("cluster", "apply", "-f", "spec.yaml", "--yes");
    }

    /** What declaring the cluster would do. */
    TestCommand.Result dryRun(String spec) {
        write(spec);
        return attempt("cluster", "apply", "-f", "spec.yaml", "--dry-run");
    }

    private void write(String spec) {
        try {
            Files.writeString(folder.resolve("spec.yaml"), spec);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command that must succeed, and returns what it printed. */
    String run(String... arguments) {
        return TestCommand.run(command(arguments), commandLog(), COMMAND_LIMIT);
    }

    TestCommand.Result attempt(String... arguments) {
        return TestCommand.attempt(command(arguments), commandLog(), COMMAND_LIMIT);
    }

    private ProcessBuilder command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add("--token-file=token");
        return ringmaster(folder, url, command);
    }

    private Path commandLog() {
        return folder.resolve("command.log");
    }

    private RingmasterClient client() {
        try {
            String token = Files.readString(folder.resolve("token")).strip();
            return new KeptServers(folder).client(url, token, Duration.ofSeconds(20));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    CqlAccess access(String cluster) {
        return CqlAccess.of(client(), new ClusterName(cluster));
    }

    ClusterStatus status(String cluster) {
        return client().status(new ClusterName(cluster), Scope.FLEET);
    }

    List<Plan> plans(String cluster) {
        return client().plans(new ClusterName(cluster)).items();
    }

    /** Ends the one outside with SIGKILL, and with it its ZooKeeper, and starts it again; does not wait for it. */
    void diesAndComesBack() {
        Process launcher = process;
        Processes.kill9(launcher.children().findFirst().orElseThrow());
        try {
            if (!launcher.waitFor(20, TimeUnit.SECONDS)) {
                throw new AssertionError("the launcher outlives its server");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
        process = start(folder, url, "server-" + ++deaths + ".out");
    }

    /** Waits until every node is NORMAL, no plan is at work and nothing is found wrong. */
    ClusterStatus whole(String cluster, int nodes, Duration limit) {
        ClusterStatus whole = Patience.until(
                nodes + " nodes of " + cluster + " NORMAL and healthy",
                limit,
                () -> status(cluster),
                s -> s.normal() == nodes
                        && s.nodes() == nodes
                        && s.created()
                        && s.findings().isEmpty()
                        && s.plans().stream().allMatch(p -> p.status().isOver()));
        PlaygroundKind.assertDeclared(client(), new ClusterName(cluster));
        return whole;
    }

    /** Ends the server outside, or the way to the one inside; its nodes run on. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
