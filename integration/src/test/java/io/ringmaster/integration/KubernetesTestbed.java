package io.ringmaster.integration;

import io.ringmaster.ports.TestCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A real Kubernetes with some machines, by the scripts in {@code integration/kubernetes}. */
final class KubernetesTestbed implements AutoCloseable {
    private static final Path SCRIPTS = Playground.ROOT.resolve("integration/kubernetes");
    private static final Path STATE = Playground.HOME.resolve("kubernetes");
    private static final Path PROGRAMS = Playground.ROOT.resolve(".build/kubernetes");
    private static final Path IMAGES = Playground.ROOT.resolve(".build/image");
    private static final Path LOG = Playground.HOME.resolve("kubernetes-command.log");
    private static final Duration LIMIT = Duration.ofMinutes(5);
    /** On a busy machine an API server may take more than the usual minute to start. */
    private static final String STAGE_LIMIT_S = "200";

    /** The computer's address in the network of the machines and pods. */
    static final String ADDRESS = "10.77.0.1";

    private KubernetesTestbed() {}

    /** What this computer lacks, one line each, with the next step; empty if it lacks nothing. */
    static Optional<String> lacks() {
        for (String image : List.of("cassandra", "server")) {
            if (!Files.isRegularFile(tar(image))) {
                return Optional.of("no image " + tar(image) + " -> ./dev image " + image);
            }
        }
        TestCommand.Result result = attempt(List.of(SCRIPTS.resolve("needs.sh").toString(), PROGRAMS.toString()));
        return result.exit() == 0
                ? Optional.empty()
                : Optional.of(result.output().strip());
    }

    private static Path tar(String image) {
        return IMAGES.resolve(image + ".tar");
    }

    static KubernetesTestbed up(int machines) {
        var testbed = new KubernetesTestbed();
        testbed.close(); // what a broken-off run left
        try {
            script("up.sh", PROGRAMS.toString());
            for (int i = 1; i <= machines; i++) {
                testbed.startMachine(i);
            }
            return testbed;
        } catch (AssertionError e) {
            testbed.close();
            throw e;
        }
    }

    Path kubeconfig() {
        return STATE.resolve("admin.kubeconfig");
    }

    /** The folder of a volume of a machine. */
    Path disk(String machine, int number) {
        return STATE.resolve(machine).resolve("disks").resolve(Integer.toString(number));
    }

    /** Runs a command that must succeed, and returns what it printed. */
    String kubectl(String... arguments) {
        return required(command(arguments));
    }

    /** Runs a command that may fail. */
    TestCommand.Result attemptKubectl(String... arguments) {
        return attempt(command(arguments));
    }

    private List<String> command(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(STATE.resolve("bin/kubectl").toString()));
        command.addAll(List.of("--kubeconfig", kubeconfig().toString()));
        command.addAll(List.of("--cache-dir", STATE.resolve("cache").toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Starts a command that runs until it is ended. */
    Process start(Path log, String... arguments) {
        return TestCommand.start(new ProcessBuilder(command(arguments)), log);
    }

    /** Starts what does not run of etcd, API server, controller-manager and scheduler. */
    void startControlPlane() {
        script("up.sh", PROGRAMS.toString());
    }

    /** Starts what does not run of a machine, its containerd and its kubelet, and waits until it is Ready. */
    void startMachine(int machine) {
        script("machine.sh", Integer.toString(machine));
    }

    /** Takes a machine, with its pods, off the network. */
    void cut(int machine) {
        script("machine.sh", Integer.toString(machine), "cut");
    }

    /** Puts it back. */
    void join(int machine) {
        script("machine.sh", Integer.toString(machine), "join");
    }

    /** @param name such as {@code apiserver} or {@code n1-kubelet} */
    ProcessHandle process(String name) {
        try {
            long pid = Long.parseLong(
                    Files.readString(STATE.resolve("pid").resolve(name)).strip());
            return ProcessHandle.of(pid).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command in the namespaces of a machine. */
    void inside(int machine, String... command) {
        List<String> arguments = new ArrayList<>(List.of(Integer.toString(machine), "run"));
        arguments.addAll(List.of(command));
        script("machine.sh", arguments.toArray(String[]::new));
    }

    private static void script(String name, String... arguments) {
        List<String> command = new ArrayList<>(List.of(SCRIPTS.resolve(name).toString(), STATE.toString()));
        command.addAll(List.of(arguments));
        required(command);
    }

    private static String required(List<String> command) {
        return TestCommand.run(builder(command), LOG, LIMIT);
    }

    private static TestCommand.Result attempt(List<String> command) {
        return TestCommand.attempt(builder(command), LOG, LIMIT);
    }

    private static ProcessBuilder builder(List<String> command) {
        var builder = new ProcessBuilder(command);
        builder.environment()
                .putAll(Map.of("IMAGES", tar("cassandra") + " " + tar("server"), "TIMEOUT_S", STAGE_LIMIT_S));
        return builder;
    }

    /** Ends every process of the testbed and deletes its files. */
    @Override
    public void close() {
        script("down.sh");
        required(List.of("rm", "-rf", "--one-file-system", STATE.toString()));
    }
}
