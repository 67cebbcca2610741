package io.ringmaster.executor;

import io.ringmaster.executor.api.AccessToken;
import io.ringmaster.executor.api.Door;
import io.ringmaster.executor.api.ExecutorApi;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.container.Container;
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.log.LogKeeper;
import io.ringmaster.executor.supervisor.Supervisor;
import io.ringmaster.executor.task.TransferProgram;
import io.ringmaster.host.HeldLock;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.Stage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs one node: {@code --node <cluster>/<datacenter>/node-<n> --listen <IP address> [--advertise <IP address>] --port
 * <port> --directory <allocation> --jars <directory> --companion <jar> --java <binary> [--cds <archive>] [--engine
 * <directory>] [--transfer <directory>] [--locations <directory>] [--generation <n>] [--token <file>] [--door
 * <directory>] [--contained yes]}. It starts without a target, if none is on disk, and waits for the first one. With
 * {@code --generation}, a target on disk that is older is out of date, and it waits as well. {@code --token} names the
 * file of the API's token, if that is not in the allocation. With {@code --door} it speaks TLS alone, by the files of
 * that directory. With {@code --contained yes} it is the main process of a container and ends its daemon when it ends:
 * see docs/container.md.
 */
public final class ExecutorMain {
    /** JVM options that keep an executor small and quick to start. The local pool has its own list for production. */
    public static final List<String> JVM_OPTIONS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xms8m",
            "-Xmx32m",
            "-Xss256k",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-UsePerfData");

    private static final Set<String> ARGUMENTS = new TreeSet<>(Set.of(
            "--node",
            "--listen",
            "--advertise",
            "--port",
            "--directory",
            "--jars",
            "--companion",
            "--java",
            "--cds",
            "--engine",
            "--transfer",
            "--locations",
            "--generation",
            "--token",
            "--door",
            "--contained"));

    private ExecutorMain() {}

    public static void main(String[] arguments) {
        // The JDK's HTTPS server looks up the name of each caller, and a probe must not wait for DNS. Nothing else here
        // needs a name.
        System.setProperty("jdk.net.hosts.file", "/dev/null");
        try {
            run(new Arguments(arguments, ARGUMENTS));
        } catch (IOException | RuntimeException e) {
            if (!(e instanceof IllegalArgumentException)) {
                Log.error("executor cannot start", e);
            }
            // the last line: the pool shows the end of the log
            System.err.println("the executor cannot start: " + ThrowableText.of(e));
            System.exit(1);
        }
    }

    private static void run(Arguments arguments) throws IOException {
        NodeId node = NodeId.of(arguments.text("--node"));
        NodeAddress address = NodeAddress.of(arguments.text("--listen"), arguments.textOrNull("--advertise"));
        int port = arguments.port("--port");
        Path trust = arguments.textOrNull("--door") == null
                ? null
                : arguments.path("--door").toAbsolutePath().resolve(Door.SERVERS);
        NodeFiles files = new NodeFiles(arguments.existing("--directory"), trust);
        Installation installation = new Installation(
                arguments.existing("--java"),
                arguments.existing("--jars"),
                arguments.existing("--companion"),
                existingOrNull(arguments, "--cds"),
                existingOrNull(arguments, "--engine"));
        boolean contained = arguments.yes("--contained");
        AccessToken token = arguments.textOrNull("--token") == null
                ? AccessToken.ofAllocation(files.token())
                : AccessToken.mounted(arguments.path("--token"));
        Door door = arguments.textOrNull("--door") == null
                ? null
                : Door.open(arguments.path("--door"), node.datacenter(), contained);
        lock(files.executorLock());
        files.create();
        if (contained) {
            Container.keepLog(files);
        }
        LogKeeper.start(contained ? List.of(files.daemonLog()) : List.of(files.daemonLog(), files.executorLog()));
        Supervisor supervisor = new Supervisor(
                node,
                address,
                files,
                installation,
                transferProgram(arguments),
                Map.of(Stage.EXECUTOR, Instant.now()),
                arguments.countOrZero("--generation"));
        InetSocketAddress endpoint = new InetSocketAddress(address.listen(), port);
        ExecutorApi.open(
                endpoint,
                token,
                door,
                files,
                supervisor.board(),
                supervisor.targets(),
                supervisor.identity(),
                supervisor.companion());
        Log.info("executor of " + node + " listens on " + endpoint + (door == null ? "" : " by TLS"));
        Thread loop = new Thread(supervisor, "supervisor");
        loop.setUncaughtExceptionHandler(new LoopEnd(() -> Runtime.getRuntime().halt(1)));
        if (contained) {
            Container.run(files, supervisor, loop);
        }
        loop.start();
    }

    /** Locations may be added later, so their directory need not be there yet. */
    private static @Nullable TransferProgram transferProgram(Arguments arguments) {
        return arguments.textOrNull("--transfer") == null
                ? null
                : new TransferProgram(
                        arguments.existing("--java"),
                        arguments.existing("--transfer"),
                        arguments.textOrNull("--locations") == null ? null : arguments.path("--locations"));
    }

    private static @Nullable Path existingOrNull(Arguments arguments, String name) {
        return arguments.textOrNull(name) == null ? null : arguments.existing(name);
    }

    /** Two executors must never run one node. The lock is held until this process ends, however it ends. */
    private static void lock(Path file) throws IOException {
        if (HeldLock.tryTake(file).isEmpty()) {
            throw new IOException("another executor runs in this directory: it holds the lock " + file);
        }
    }
}
