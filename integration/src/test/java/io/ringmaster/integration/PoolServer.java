package io.ringmaster.integration;

import io.ringmaster.host.FileTree;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Plan;
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
    private static final Duration START = Duration.ofSeconds(60);
    private static final long COMMAND_LIMIT_S = 600;
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
        List<String> section = new ArrayList<>(List.of(
                "kubernetes:",
                "  kubeconfig: " + testbed.kubeconfig(),
                "  namespace: " + name,
                "  image_pull_policy: Never"));
        List.of(pool).forEach(line -> section.add("  " + line));
        testbed.kubectl("create", "namespace", name);
        return outside(KubernetesTestbed.ADDRESS, name, port, section, "n1");
    }

    /** Starts one for a Mesos. */
    static PoolServer on(MesosTestbed mesos, String name, int port) {
        return outside(MesosTestbed.MASTER, name, port, mesos.pool(), MesosTestbed.machine(1));
    }

    /** @param machine that it must see */
    private static PoolServer outside(String address, String name, int port, List<String> pool, String machine) {
        Path folder = emptyFolder(name); // what an earlier testbed knew is gone, and so must be its store
        try {
            List<String> config = new ArrayList<>(List.of(
                    "datacenter: dc1",
                    "listen: " + address + ":" + port,
                    "state_directory: state",
                    "token_file: token",
                    "zookeeper: {embedded: true}",
                    "pool:"));
            pool.forEach(line -> config.add("  " + line));
            Files.write(folder.resolve("server.yaml"), config);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        URI url = URI.create("http://" + address + ":" + port);
        Process process = start(folder, url, COMMAND, "server.out");
        return new PoolServer(folder, url, process).open(machine);
    }

    /** Reaches the one that runs in a namespace; again after the end of its pod, which ends the port-forward. */
    static PoolServer inside(KubernetesTestbed testbed, String namespace, int port) {
        Path folder = emptyFolder(namespace);
        String token =
                testbed.kubectl("exec", "ringmaster-0", "-n", namespace, "--", "cat", "/var/lib/ringmaster/token");
        try {
            Files.writeString(folder.resolve("token"), token);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Process forward = testbed.start(
                folder.resolve("forward.out"), "port-forward", "-n", namespace, "service/ringmaster", port + ":8080");
        return new PoolServer(folder, URI.create("http://127.0.0.1:" + port), forward).open("n1");
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

    private static Process start(Path folder, URI url, List<String> arguments, String log) {
        List<String> command =
                new ArrayList<>(List.of(Playground.ROOT.resolve("ringmaster").toString()));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command);
        builder.environment().put("RINGMASTER_HOME", folder.toString());
        builder.environment().put("RINGMASTER_SERVER", String.valueOf(url));
        try {
            return builder.directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(folder.resolve(log).toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start ./ringmaster", e);
        }
    }

    /** Declares a cluster; does not wait. */
    void declare(String spec) {
        write(spec);
        run("cluster", "apply", "-f", "spec.yaml", "--yes");
    }

    /** What declaring the cluster would do. */
    Playground.Result dryRun(String spec) {
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
        Playground.Result result = attempt(arguments);
        if (result.exit() != 0) {
            throw new AssertionError(List.of(arguments) + " ended with " + result.exit() + ":\n" + result.output());
        }
        return result.output();
    }

    Playground.Result attempt(String... arguments) {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add("--token-file=token");
        Process run = start(folder, url, command, "command.log");
        try {
            boolean ended = run.waitFor(COMMAND_LIMIT_S, TimeUnit.SECONDS);
            String output = Files.readString(folder.resolve("command.log"));
            if (!ended) {
                run.destroyForcibly();
                throw new AssertionError(command + " hangs:\n" + output);
            }
            return new Playground.Result(run.exitValue(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            run.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private RingmasterClient client() {
        try {
            String token = Files.readString(folder.resolve("token")).strip();
            return new RingmasterClient(url, token, Duration.ofSeconds(20));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        process = start(folder, url, COMMAND, "server-" + ++deaths + ".out");
    }

    /** Waits until every node is NORMAL, no plan is at work and nothing is found wrong. */
    ClusterStatus whole(String cluster, int nodes, Duration limit) {
        return Patience.until(
                nodes + " nodes of " + cluster + " NORMAL and healthy",
                limit,
                () -> status(cluster),
                s -> s.normal() == nodes
                        && s.nodes() == nodes
                        && s.created()
                        && s.findings().isEmpty()
                        && s.plans().stream().allMatch(p -> p.status().isOver()));
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
