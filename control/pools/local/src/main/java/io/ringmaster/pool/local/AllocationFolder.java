package io.ringmaster.pool.local;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.node.NodeTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The directory of one allocation: {@code allocation.json}, the executor's token, target, pid and log, and the
 * volume.
 */
record AllocationFolder(Path path) {
    private static final int TOKEN_BYTES = 32;

    /** The content of {@code allocation.json}. */
    record SavedAllocation(Allocation allocation, boolean released, Instant since) {}

    private Path allocationFile() {
        return path.resolve("allocation.json");
    }

    Path executorPid() {
        return path.resolve("executor.pid");
    }

    Path executorLog() {
        return path.resolve("executor.log");
    }

    Path volume() {
        return path.resolve("volume");
    }

    private Path cgroupsFile() {
        return path.resolve("cgroups");
    }

    /** Creates the content in a temporary directory, which is renamed once it is complete. */
    static void fill(Path directory, SavedAllocation saved) throws IOException {
        AllocationFolder folder = new AllocationFolder(directory);
        DurableFiles.makeDirectories(folder.volume());
        byte[] token = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        DurableFiles.write(folder.tokenFile(), HexFormat.of().formatHex(token).getBytes(StandardCharsets.US_ASCII));
        folder.write(saved);
    }

    /** The bearer token of its executor. */
    String token() throws IOException {
        return Files.readString(tokenFile()).strip();
    }

    private Path tokenFile() {
        return path.resolve("token");
    }

    void write(SavedAllocation saved) throws IOException {
        DurableFiles.write(allocationFile(), Json.bytes(saved));
    }

    SavedAllocation state() throws IOException {
        try {
            return Json.parse(Files.readAllBytes(allocationFile()), SavedAllocation.class);
        } catch (UncheckedIOException e) {
            throw new IOException(allocationFile() + " cannot be parsed: " + e.getMessage(), e);
        }
    }

    /**
     * Writes the target for an executor that is about to start, unless the file holds a newer one. A running executor
     * owns the file.
     */
    void writeTarget(NodeTarget target) throws IOException {
        Path file = path.resolve("target.json");
        if (!Files.exists(file) || generation(file) <= target.generation()) {
            DurableFiles.write(file, Json.bytes(target));
        }
    }

    private static long generation(Path target) throws IOException {
        try {
            return Json.parse(Files.readAllBytes(target), NodeTarget.class).generation();
        } catch (UncheckedIOException e) {
            throw new IOException(target + " cannot be parsed: " + e.getMessage(), e);
        }
    }

    Optional<ProcessIdentity> executor() throws IOException {
        return ProcessIdentity.read(executorPid());
    }

    void writeCgroups(List<Path> directories) throws IOException {
        String lines =
                String.join("\n", directories.stream().map(Path::toString).toList());
        DurableFiles.write(cgroupsFile(), lines.getBytes(StandardCharsets.UTF_8));
    }

    /** The cgroups of its processes; empty if they are not limited. */
    List<Path> cgroups() throws IOException {
        try {
            return Files.readString(cgroupsFile())
                    .lines()
                    .filter(l -> !l.isBlank())
                    .map(Path::of)
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** The last lines of the executor's log, for people. */
    String logTail(int lines) {
        try {
            List<String> all = Files.readString(executorLog(), StandardCharsets.ISO_8859_1)
                    .lines()
                    .toList();
            return String.join(" | ", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException e) {
            return "";
        }
    }
}
