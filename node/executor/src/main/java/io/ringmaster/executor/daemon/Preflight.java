package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/** Checks before a start for problems that would make it fail. */
public final class Preflight {
    /** With less free space Cassandra cannot create its commit log. */
    private static final long MIN_FREE_BYTES = 96L * 1024 * 1024;

    /** The kernel's message. Some file systems refuse all writes and are still not mounted read-only. */
    private static final String READ_ONLY = "Read-only file system";

    private Preflight() {}

    /** @param state of the daemons that ran here before */
    public static Optional<Problem> problem(
            NodeTarget target, NodeAddress address, NodeFiles files, DaemonState state) {
        return readOnly(files)
                .or(() -> volumeLost(target, files, state))
                .or(() -> engineRemoved(target, files))
                .or(() -> diskFull(files))
                .or(() -> portTaken(target, address.listen()));
    }

    /** Cassandra would start without the engine, and show the tables in RocksDB as empty. */
    private static Optional<Problem> engineRemoved(NodeTarget target, NodeFiles files) {
        return Installation.needsEngine(target) || !Files.exists(files.tablesInRocksDB())
                ? Optional.empty()
                : Optional.of(new Problem(
                        ErrorCode.CONFIGURATION_REJECTED,
                        "engine.rocksdb",
                        "the node has tables in RocksDB, and its spec has no engine",
                        "add the engine to the spec again; before you remove it, ALTER each of its tables"
                                + " WITH memtable = 'default', and wait until their data is in sstables"));
    }

    /**
     * A daemon without its data listens for a short time before Cassandra ends it. Its peers may still consider the
     * endpoint alive and send requests for tables that the daemon does not know.
     */
    private static Optional<Problem> volumeLost(NodeTarget target, NodeFiles files, DaemonState state) {
        boolean holdsData = files.holdsData();
        return (state.joined() && holdsData) || !target.joined()
                ? Optional.empty()
                : Optional.of(Problem.of(
                        ErrorCode.MACHINE_LOST,
                        "its volume " + files.volume()
                                + (holdsData
                                        ? " holds the data of a daemon that never joined, though the node has joined"
                                                + " the ring"
                                        : " is empty, though it has joined the ring"),
                        Advice.replaceNode(target.node())
                                .prefix("bring the volume back, or ")
                                .suffix("; Ringmaster does not replace a lost volume automatically")));
    }

    /** A problem of the volume that explains why something could not be done there. */
    public static Optional<Problem> ofVolume(NodeFiles files, Exception failure) {
        return ThrowableText.of(failure).contains(READ_ONLY) ? Optional.of(readOnlyProblem(files)) : unwritable(files);
    }

    /** A problem of the volume with which nothing can be stored there. */
    public static Optional<Problem> unwritable(NodeFiles files) {
        return readOnly(files).or(() -> diskFull(files));
    }

    private static Optional<Problem> readOnly(NodeFiles files) {
        return Files.isDirectory(files.volume()) && !Files.isWritable(files.volume())
                ? Optional.of(readOnlyProblem(files))
                : Optional.empty();
    }

    private static Problem readOnlyProblem(NodeFiles files) {
        return Problem.of(
                ErrorCode.VOLUME_READ_ONLY,
                "its volume " + files.volume() + " cannot be written",
                "find out why: mount shows whether it is read-only, and dmesg shows errors of the disk; the node starts"
                        + " automatically once the volume can be written again");
    }

    public static Optional<Problem> diskFull(NodeFiles files) {
        try {
            long free = Files.getFileStore(files.volume()).getUsableSpace();
            return free >= MIN_FREE_BYTES
                    ? Optional.empty()
                    : Optional.of(Problem.of(
                            ErrorCode.DISK_FULL,
                            "only " + free / (1024 * 1024) + " MiB are free at " + files.volume(),
                            "free disk space, or delete snapshots"
                                    + DaemonLeftovers.heapDump(files)
                                            .map(dump -> ", or the heap dump " + dump)
                                            .orElse("")));
        } catch (IOException e) {
            return Optional.of(
                    Problem.of(ErrorCode.DISK_FULL, "cannot read the free space of " + files.volume() + ": " + e));
        }
    }

    private static Optional<Problem> portTaken(NodeTarget target, String address) {
        for (int port : List.of(target.ports().storage(), target.ports().nativeTransport())) {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(address, port));
            } catch (BindException e) {
                return Optional.of(Problem.of(
                        ErrorCode.DAEMON_FAILED,
                        "cannot listen on " + address + ":" + port + ": " + ThrowableText.of(e),
                        "find out what uses it: ss -ltnp 'sport = :" + port + "'"));
            } catch (IOException e) {
                return Optional.of(
                        Problem.of(ErrorCode.DAEMON_FAILED, "cannot listen on " + address + ":" + port + ": " + e));
            }
        }
        return Optional.empty();
    }
}
