package io.ringmaster.executor;

import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Daemon;
import io.ringmaster.executor.daemon.DaemonState;
import io.ringmaster.executor.supervisor.Supervisor;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.spec.LiveParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** A supervisor that has adopted a process for its daemon, with a companion that reports a prepared state. */
public final class AdoptedNode implements AutoCloseable {
    private final NodeFiles files;
    private final Daemon daemon;
    private final CompanionDouble companion;
    private final Supervisor supervisor;
    private final Thread loop;

    /** @param command the process; it is a member of a cluster that counts as created */
    public AdoptedNode(Path directory, TestTargets target, String... command) throws IOException {
        this(directory, target, found -> {}, command);
    }

    /** What happens to the files before the supervisor reads them. */
    @FunctionalInterface
    public interface Before {
        void happensTo(NodeFiles files) throws IOException;
    }

    public AdoptedNode(Path directory, TestTargets target, Before before, String... command) throws IOException {
        files = new NodeFiles(directory);
        files.create();
        Path jars = Files.createDirectory(directory.resolve("jars"));
        Files.createFile(jars.resolve("cassandra.jar"));
        Installation installation = new Installation(jars.resolve("java"), jars, jars.resolve("companion"), null, null);
        daemon = Daemon.start(new Configuration(Map.of(), List.of(), List.of(command), Map.of(), ""), files, List.of());
        while (ProcessIdentity.read(files.daemonPid()).isEmpty()) {
            Thread.onSpinWait();
        }
        companion = new CompanionDouble(files, daemon.pid());
        Files.write(files.target(), Json.bytes(target.target()));
        state(target, installation).write(files);
        before.happensTo(files);
        supervisor =
                new Supervisor(target.target().node(), TestTargets.ADDRESS, files, installation, null, Map.of(), 0);
        loop = new Thread(supervisor, "supervisor");
    }

    private DaemonState state(TestTargets target, Installation installation) {
        Instant now = Instant.now();
        String fingerprint = Configurations.of(target.target(), TestTargets.ADDRESS, files, installation, true)
                .fingerprint();
        return DaemonState.none()
                .started(1, 0, fingerprint, LiveParameters.of(target.target().cassandraYaml()), now)
                .joinedAt(Map.of());
    }

    public NodeFiles files() {
        return files;
    }

    public Daemon daemon() {
        return daemon;
    }

    public CompanionDouble companion() {
        return companion;
    }

    public Supervisor supervisor() {
        return supervisor;
    }

    public Thread loop() {
        return loop;
    }

    public NodeStatus await(Predicate<NodeStatus> wanted) throws InterruptedException {
        var posted = supervisor.board().read();
        while (!wanted.test(posted.status())) {
            posted = supervisor.board().readAfter(posted.revision(), Duration.ofSeconds(1));
        }
        return posted.status();
    }

    public static void until(BooleanSupplier holds) throws InterruptedException {
        while (!holds.getAsBoolean()) {
            Thread.sleep(5);
        }
    }

    @Override
    public void close() throws IOException {
        loop.interrupt();
        daemon.kill();
        try {
            loop.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        companion.close();
    }
}
