package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.log.Log;
import io.ringmaster.host.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What daemons leave on the volume when they end: heap dumps, reports of crashes, unpacked libraries. No daemon removes
 * what an earlier one left, and one that ends again and again would fill the disk with it.
 */
public final class DaemonLeftovers {
    private static final long MEBIBYTE = 1024 * 1024;
    private static final int HEAP_DUMPS = 1;
    private static final int CRASH_REPORTS = 5;

    private DaemonLeftovers() {}

    /**
     * Keeps the newest heap dump and the newest reports of crashes, and empties the folder of temporary files. To be
     * called while no daemon runs. What cannot be removed stays, and is logged.
     */
    public static void remove(NodeFiles files) {
        try {
            deleteAllBut(HEAP_DUMPS, newestFirst(files.logs(), "java_pid", ".hprof"));
            deleteAllBut(CRASH_REPORTS, newestFirst(files.logs(), "hs_err_pid", ".log"));
            // the JVM writes these beside no other report, but into its working directory
            deleteAllBut(0, newestFirst(files.volume(), "replay_pid", ".log"));
            for (Path temporary : entries(files.temporary())) {
                FileTree.delete(temporary);
            }
        } catch (IOException | UncheckedIOException e) {
            Log.info("cannot remove what former daemons left on " + files.volume() + ": " + e);
        }
    }

    /**
     * The same configuration, without a heap dump if the volume has no room for twice the heap: a dump is about as
     * large as the heap, and the data needs room as well. While the daemon runs, its companion keeps the same rule.
     */
    public static Configuration withoutDumpIfItHasNoRoom(Configuration configuration, NodeFiles files, long heapBytes)
            throws IOException {
        long usable = Files.getFileStore(files.volume()).getUsableSpace();
        if (usable >= 2 * heapBytes) {
            return configuration;
        }
        Log.info("starts without heap dumps: a dump may take " + heapBytes / MEBIBYTE + " MiB, and " + usable / MEBIBYTE
                + " MiB are free at " + files.volume());
        return configuration.withoutHeapDump();
    }

    /** The newest heap dump on the volume with its size, for people; empty if there is none. */
    static Optional<String> heapDump(NodeFiles files) {
        try {
            return newestFirst(files.logs(), "java_pid", ".hprof").stream()
                    .findFirst()
                    .map(DaemonLeftovers::withSize);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static String withSize(Path file) {
        long bytes = file.toFile().length();
        return file + " (" + (bytes + MEBIBYTE - 1) / MEBIBYTE + " MiB)";
    }

    private static void deleteAllBut(int kept, List<Path> newestFirst) throws IOException {
        for (Path file : newestFirst.stream().skip(kept).toList()) {
            Files.deleteIfExists(file);
            Log.info("removed " + file);
        }
    }

    private static List<Path> newestFirst(Path folder, String prefix, String suffix) throws IOException {
        return entries(folder).stream()
                .filter(path -> {
                    String name = path.getFileName().toString();
                    return name.startsWith(prefix) && name.endsWith(suffix);
                })
                .sorted(Comparator.comparing((Path path) -> path.toFile().lastModified())
                        .reversed())
                .toList();
    }

    private static List<Path> entries(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }
}
