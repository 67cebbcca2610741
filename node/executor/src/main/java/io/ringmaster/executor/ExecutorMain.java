package io.ringmaster.executor;

import io.ringmaster.executor.api.ExecutorApi;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.supervisor.Supervisor;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.Stage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs one node: {@code --directory <allocation> --jars <directory> --companion <jar> --java <binary> [--cds <archive>]
 * [--engine <directory>]}.
 */
public final class ExecutorMain {
    /** JVM options that keep an executor small and quick to start. The local pool has its own list for production. */
    public static final List<String> JVM_OPTIONS =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xms8m", "-Xmx32m", "-Xss256k", "-XX:-UsePerfData");

    private static final Set<String> ARGUMENTS =
            Set.of("--directory", "--jars", "--companion", "--java", "--cds", "--engine");

    private ExecutorMain() {}

    public static void main(String[] arguments) {
        try {
            run(new Arguments(arguments, ARGUMENTS));
        } catch (IOException | RuntimeException e) {
            Log.error("executor cannot start", e);
            System.exit(1);
        }
    }

    private static void run(Arguments arguments) throws IOException {
        NodeFiles files = new NodeFiles(arguments.existing("--directory"));
        Installation installation = new Installation(
                arguments.existing("--java"),
                arguments.existing("--jars"),
                arguments.existing("--companion"),
                existingOrNull(arguments, "--cds"),
                existingOrNull(arguments, "--engine"));
        lock(files.executorLock());
        files.create();
        Supervisor supervisor = new Supervisor(files, installation, Map.of(Stage.EXECUTOR, Instant.now()));
        NodeTarget target = supervisor.targets().current();
        InetSocketAddress address =
                new InetSocketAddress(target.address(), target.ports().executor());
        ExecutorApi.open(address, files, supervisor.board(), supervisor.targets(), supervisor.companion());
        Log.info("executor of " + target.node() + " listens on " + address);
        new Thread(supervisor, "supervisor").start();
    }

    private static @Nullable Path existingOrNull(Arguments arguments, String name) {
        return arguments.textOrNull(name) == null ? null : arguments.existing(name);
    }

    /** Two executors must never run one node. The kernel releases the lock when this process ends, however it ends. */
    private static void lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
            throw new IOException("another executor runs in this directory: it holds the lock " + file);
        }
    }
}
