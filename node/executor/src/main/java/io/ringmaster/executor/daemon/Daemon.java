package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.state.RecordFile;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.ProcessIdentity;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A running Cassandra process, started by this executor or an earlier one. */
public final class Daemon {
    /**
     * The process records its identity before it becomes Cassandra, so that no started daemon is ever without a record.
     */
    private static final String RECORD_THEN_EXEC =
            """
            read -r _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ start _ < /proc/self/stat
            read -r boot < /proc/sys/kernel/random/boot_id
            echo "$$ $start $boot" > "$0" && exec "$@"
            """;

    private final ProcessIdentity identity;
    private final ProcessHandle handle;
    private final @Nullable Process child;

    private Daemon(ProcessIdentity identity, ProcessHandle handle, @Nullable Process child) {
        this.identity = identity;
        this.handle = handle;
        this.child = child;
    }

    /**
     * Starts the daemon in its own session, so that it outlives this executor.
     *
     * @param prefix a command that sets limits and runs its arguments; may be empty
     */
    public static Daemon start(Configuration configuration, NodeFiles files, List<String> prefix) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                "setsid", "sh", "-c", RECORD_THEN_EXEC, files.daemonPid().toString()));
        command.addAll(configuration.command());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(files.volume().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(files.daemonLog().toFile()));
        builder.environment().putAll(configuration.environment());
        Files.deleteIfExists(files.daemonPid());
        keepFormerLog(files);
        Process child = builder.start();
        return new Daemon(identify(child, files), child.toHandle(), child);
    }

    /** A child that cannot be known is ended: nobody would watch it, and a second one be started beside it. */
    private static ProcessIdentity identify(Process child, NodeFiles files) throws IOException {
        try {
            return ProcessIdentity.of(child.pid())
                    .orElseThrow(
                            () -> new IOException("the daemon ended right after its start; see " + files.daemonLog()));
        } catch (UncheckedIOException e) {
            child.destroyForcibly().onExit().join();
            throw new IOException("the daemon was ended right after its start", e);
        }
    }

    /** Each run has a file of its own, and the one before is kept: everything that Cassandra logs is in it, too. */
    private static void keepFormerLog(NodeFiles files) throws IOException {
        if (Files.exists(files.daemonLog())) {
            Files.deleteIfExists(files.formerEarlierDaemonLog());
            moveIfThere(files.earlierDaemonLog(), files.formerEarlierDaemonLog());
            moveIfThere(files.daemonLog(), files.formerDaemonLog());
        }
    }

    /** The keeper of logs may delete a file at any time. */
    private static void moveIfThere(Path file, Path to) throws IOException {
        try {
            Files.move(file, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException e) {
            Log.info(file + " is not there, so that nothing is kept of it");
        }
    }

    /** The running daemon of an earlier executor, if there is one. */
    public static Optional<Daemon> adopt(NodeFiles files) throws IOException {
        Optional<ProcessIdentity> recorded = ProcessIdentity.read(files.daemonPid());
        if (recorded.isEmpty() && Files.exists(files.daemonPid())) {
            RecordFile.keepAside(
                    files.daemonPid(), "it holds no process", "a daemon that runs is found among the processes");
        }
        Optional<ProcessIdentity> alive = recorded.filter(ProcessIdentity::isAlive);
        return (alive.isPresent() ? alive : withoutRecord(files)).flatMap(identity -> ProcessHandle.of(identity.pid())
                .map(handle -> new Daemon(identity, handle, null)));
    }

    /** A daemon whose record is lost is found among the processes, and its record is made again. */
    private static Optional<ProcessIdentity> withoutRecord(NodeFiles files) throws IOException {
        Optional<ProcessIdentity> running = DaemonSearch.on(files.volume());
        if (running.isPresent()) {
            DurableFiles.write(files.daemonPid(), running.get().text());
            Log.info("the daemon " + running.get().pid() + " runs without a record, which is made again");
        }
        return running;
    }

    public long pid() {
        return identity.pid();
    }

    public boolean isAlive() {
        return identity.isAlive();
    }

    /** Runs the action when the daemon has ended. */
    public void onExit(Runnable action) {
        var unused = handle.onExit().thenRun(action);
    }

    /** Waits for the exit code; empty for an adopted daemon, whose exit code is unknown. */
    public OptionalInt exitCode() {
        if (child == null) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(child.waitFor());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    /** Sends TERM; Cassandra drains before it ends. */
    public void terminate() {
        handle.destroy();
    }

    public void kill() {
        handle.destroyForcibly();
    }
}
