package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.ringmaster.ports.TestCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * etcd, API server, controller-manager and scheduler of a real Kubernetes, without machines, by the scripts in {@code
 * integration/kubernetes}. One fits into a network namespace.
 */
final class ControlPlane implements AutoCloseable {
    private static final Path ROOT = root();
    private static final Path SCRIPTS = ROOT.resolve("integration/kubernetes");
    private static final Path PROGRAMS = ROOT.resolve(".build/kubernetes");
    private static final Path HOME =
            ROOT.resolve(System.getenv().getOrDefault("RINGMASTER_TEST_HOME", ".build/test-home"));
    private static final Path STATE = HOME.resolve("control-plane");
    private static final Path LOG = HOME.resolve("control-plane-command.log");
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private ControlPlane() {}

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("dev"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** What this computer lacks, one line each, with the next step; empty if it lacks nothing. */
    static Optional<String> lacks() {
        TestCommand.Result result =
                TestCommand.attempt(builder(SCRIPTS.resolve("needs.sh").toString(), PROGRAMS.toString()), LOG, LIMIT);
        return result.exit() == 0
                ? Optional.empty()
                : Optional.of(result.output().strip());
    }

    static ControlPlane up() {
        var controlPlane = new ControlPlane();
        controlPlane.close(); // what a broken-off run left
        try {
            controlPlane.startWhatDoesNotRun();
            return controlPlane;
        } catch (AssertionError e) {
            controlPlane.close();
            throw e;
        }
    }

    /** Of somebody who may do everything. */
    Path kubeconfig() {
        return STATE.resolve("admin.kubeconfig");
    }

    KubernetesClient client() {
        Config config = Config.fromKubeconfig(null, kubeconfig().toFile());
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** The objects stay, and the connections of all clients end. */
    void killApiServer() {
        String pid = pidOfApiServer();
        signalApiServer("-KILL");
        long end = System.nanoTime() + LIMIT.toNanos();
        while (isAlive(pid)) { // until then, what starts it would find it running
            if (System.nanoTime() > end) {
                throw new AssertionError("the API server " + pid + " does not die");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** A zombie has no command line. */
    private static boolean isAlive(String pid) {
        try {
            return Files.readAllBytes(Path.of("/proc", pid, "cmdline")).length > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** It takes connections, and answers nothing. */
    void pauseApiServer() {
        signalApiServer("-STOP");
    }

    void continueApiServer() {
        signalApiServer("-CONT");
    }

    void startWhatDoesNotRun() {
        required(SCRIPTS.resolve("up.sh").toString(), STATE.toString(), PROGRAMS.toString());
    }

    private static void signalApiServer(String signal) {
        required("kill", signal, pidOfApiServer());
    }

    private static String pidOfApiServer() {
        try {
            return Files.readString(STATE.resolve("pid/apiserver")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String required(String... command) {
        return TestCommand.run(builder(command), LOG, LIMIT);
    }

    private static ProcessBuilder builder(String... command) {
        var builder = new ProcessBuilder(command);
        builder.environment().put("MACHINES", "no");
        return builder;
    }

    /** Ends every process and deletes the files. */
    @Override
    public void close() {
        required(SCRIPTS.resolve("down.sh").toString(), STATE.toString());
        required("rm", "-rf", "--one-file-system", STATE.toString());
    }
}
