package io.ringmaster.pool.local;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.FileTree;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.ports.DoorFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of one allocation: {@code allocation.json} and a copy of it, the executor's token, door, pid and log,
 * its target, and the volume. A damaged record is no lost volume: it is made again from what is there.
 */
record AllocationFolder(Path path) {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationFolder.class);
    private static final int TOKEN_BYTES = 32;
    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{" + 2 * TOKEN_BYTES + "}");
    /** Lines of the executor's log in the report of its end. */
    private static final int LOG_LINES_REPORTED = 3;

    /**
     * The content of {@code allocation.json}. Older versions do not write the last three fields; the former one has
     * the address in the allocation.
     *
     * @param address of the last launch; null before it
     * @param launching the generation of the launch that was tried last; 0 before any
     * @param launched the generation of the launch that started an executor last; 0 before any
     */
    record SavedAllocation(
            Allocation allocation,
            boolean released,
            Instant since,
            @Nullable String address,
            long launching,
            long launched) {
        SavedAllocation {
            Objects.requireNonNull(allocation, "allocation is missing");
            Objects.requireNonNull(allocation.id(), "allocation.id is missing");
            Objects.requireNonNull(allocation.node(), "allocation.node is missing");
            Objects.requireNonNull(allocation.machine(), "allocation.machine is missing");
            Objects.requireNonNull(allocation.ports(), "allocation.ports is missing");
            Objects.requireNonNull(allocation.resources(), "allocation.resources is missing");
            Objects.requireNonNull(since, "since is missing");
        }

        /** It is new: nothing was launched in it. */
        static SavedAllocation of(Allocation allocation) {
            return new SavedAllocation(allocation, false, Instant.now(), null, 0, 0);
        }

        SavedAllocation reserved(Allocation changed) {
            return new SavedAllocation(changed, false, Instant.now(), address, launching, launched);
        }

        SavedAllocation release() {
            return new SavedAllocation(allocation, true, Instant.now(), address, launching, launched);
        }

        SavedAllocation launching(Allocation changed, String at, long generation) {
            return new SavedAllocation(changed, false, Instant.now(), at, generation, launched);
        }

        SavedAllocation at(@Nullable String known) {
            return new SavedAllocation(allocation, released, since, known, launching, launched);
        }

        /** The launch that was tried last has started its executor. */
        SavedAllocation started() {
            return new SavedAllocation(allocation, released, since, address, launching, Math.max(launched, launching));
        }
    }

    private Path allocationFile() {
        return path.resolve("allocation.json");
    }

    private Path copyFile() {
        return path.resolve("allocation.json.copy");
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
        folder.writeToken();
        folder.write(saved);
    }

    /** Gives it another token. */
    void writeToken() throws IOException {
        byte[] token = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        DurableFiles.write(tokenFile(), HexFormat.of().formatHex(token).getBytes(StandardCharsets.US_ASCII));
    }

    /** Whether its token is one that this class made. */
    boolean hasToken() {
        try {
            return TOKEN.matcher(token()).matches();
        } catch (IOException e) {
            return false;
        }
    }

    /** The bearer token of its executor. */
    String token() throws IOException {
        return Files.readString(tokenFile()).strip();
    }

    /** Whether its executor speaks TLS; otherwise it speaks http. */
    boolean hasDoor() {
        return Files.exists(path.resolve(DoorFiles.DOOR));
    }

    /** Empty if it has none. */
    Optional<DoorFiles> door() {
        return hasDoor() ? Optional.of(new DoorFiles(text(DoorFiles.DOOR), text(DoorFiles.SERVERS))) : Optional.empty();
    }

    /** Empty if it cannot be read: a damaged file is replaced. */
    private String text(String name) {
        try {
            return Files.readString(path.resolve(name), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** The authorities of the servers first: a door that is there is complete. */
    void write(DoorFiles door) throws IOException {
        DurableFiles.write(path.resolve(DoorFiles.SERVERS), door.servers());
        DurableFiles.write(path.resolve(DoorFiles.DOOR), door.identity());
    }

    private Path tokenFile() {
        return path.resolve("token");
    }

    /**
     * Deletes the keys and certificates of the node, which a kept volume does not need. Where that fails, the volume is
     * kept all the same.
     */
    void forgetIdentity() {
        for (String name : List.of("tls", DoorFiles.DOOR, DoorFiles.SERVERS)) { // tls: as the executor names it
            Path identity = path.resolve(name);
            try {
                FileTree.delete(identity);
            } catch (IOException e) {
                LOG.warn("{} cannot be deleted, and may hold a key: {}", identity, e.toString());
            }
        }
    }

    void write(SavedAllocation saved) throws IOException {
        DurableFiles.write(allocationFile(), Json.bytes(saved));
        DurableFiles.write(copyFile(), Json.bytes(saved));
    }

    /** An older version wrote no copy, and does not change one that is there. */
    void writeCopy() {
        try {
            byte[] content = Files.readAllBytes(allocationFile());
            if (!Files.exists(copyFile()) || !Arrays.equals(Files.readAllBytes(copyFile()), content)) {
                DurableFiles.write(copyFile(), content);
            }
        } catch (IOException e) {
            LOG.warn("{} has no copy: {}", allocationFile(), ThrowableText.of(e));
        }
    }

    /** @throws IOException it cannot be read; the message names the file, and what to do if it is damaged */
    SavedAllocation state() throws IOException {
        try {
            return read(allocationFile());
        } catch (UncheckedIOException | NoSuchFileException e) {
            return restored(ThrowableText.of(e));
        }
    }

    private static SavedAllocation read(Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        SavedAllocation saved = Json.parse(content, SavedAllocation.class);
        if (saved == null) {
            throw new UncheckedIOException(new IOException("it holds no allocation"));
        }
        return saved.address() == null ? saved.at(formerAddress(content)) : saved;
    }

    /** Takes the copy of a record that is damaged or missing. */
    private SavedAllocation restored(String damage) throws IOException {
        SavedAllocation saved;
        try {
            saved = read(copyFile());
        } catch (UncheckedIOException | NoSuchFileException e) {
            throw new IOException(
                    allocationFile() + " is damaged (" + damage + "), and there is no sound " + copyFile()
                            + "; the volume beside it is there: put a backup of the file back and restart the server,"
                            + " and do not replace the node",
                    e);
        }
        LOG.error("{} is damaged, and made again from its copy: {}", allocationFile(), damage);
        try {
            if (Files.exists(allocationFile())) {
                DurableFiles.move(allocationFile(), path.resolve("allocation.json.damaged"));
            }
            DurableFiles.write(allocationFile(), Json.bytes(saved));
        } catch (IOException e) {
            LOG.warn("{} cannot be made again now: {}", allocationFile(), ThrowableText.of(e));
        }
        return saved;
    }

    /** Where an executor of the former version runs, which only knew the allocation's own address. */
    private static @Nullable String formerAddress(byte[] content) throws IOException {
        return Json.mapper().readTree(content).at("/allocation/address").textValue();
    }

    /** The launch is done. Without this record, a relaunch that is sent again would be carried out again. */
    void recordStart() {
        try {
            SavedAllocation saved = state();
            if (saved.launching() > saved.launched()) {
                write(saved.started());
            }
        } catch (IOException e) {
            LOG.warn("the start of the executor in {} cannot be recorded: {}", path, ThrowableText.of(e));
        }
    }

    /** Why the processes of a running executor are not limited; null if they are. */
    @Nullable
    String limitsWarning(ProcessIdentity executor) throws IOException {
        List<Path> cgroups = cgroups();
        return !cgroups.isEmpty() && Cgroups.processes(cgroups).contains(executor.pid())
                ? null
                : "limits not in force: the executor was started without them";
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
        } catch (NoSuchFileException | CharacterCodingException | InvalidPathException e) {
            return List.of();
        }
    }

    /** The end of the executor's log behind a colon, for people; empty if the log is. */
    String tail() {
        String tail = logTail(LOG_LINES_REPORTED);
        return tail.isEmpty() ? "" : ": " + tail;
    }

    private String logTail(int lines) {
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
