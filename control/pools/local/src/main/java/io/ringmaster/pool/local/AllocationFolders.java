package io.ringmaster.pool.local;

import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.FileTree;
import io.ringmaster.host.HeldLock;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.DoorFiles;
import io.ringmaster.ports.ExecutorAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of all allocations, in {@code <state directory>/allocations}. A lock file keeps a second pool out.
 */
final class AllocationFolders implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationFolders.class);
    private static final long MIN_FREE_DISK_BYTES = 16 << 20;

    private final Path allocations;
    private final Path trash;
    private final HeldLock lock;
    private final Map<AllocationId, String> tokens = new HashMap<>();

    AllocationFolders(Path stateDirectory) throws IOException {
        DurableFiles.makeDirectories(stateDirectory);
        Path real = stateDirectory.toRealPath();
        allocations = real.resolve("allocations");
        trash = real.resolve("trash");
        DurableFiles.makeDirectories(allocations);
        DurableFiles.makeDirectories(trash);
        lock = lock(real);
        emptyTrash();
    }

    private static HeldLock lock(Path directory) throws IOException {
        return HeldLock.tryTake(directory.resolve("pool.lock"))
                .orElseThrow(() -> new IOException(
                        "another server uses " + directory + "; stop it or choose another state_directory"));
    }

    Path root() {
        return allocations;
    }

    /** @throws IOException nothing more can be written; {@link DiskFull} knows it */
    void requireRoom() throws IOException {
        long free = Files.getFileStore(allocations).getUsableSpace();
        if (free < MIN_FREE_DISK_BYTES) {
            throw DiskFull.of(allocations, free);
        }
    }

    List<AllocationFolder> all() throws IOException {
        try (Stream<Path> entries = Files.list(allocations)) {
            return entries.filter(p -> Files.isDirectory(p, LinkOption.NOFOLLOW_LINKS))
                    .filter(p -> !p.getFileName().toString().startsWith("."))
                    .sorted()
                    .map(AllocationFolder::new)
                    .toList();
        }
    }

    Optional<AllocationFolder> find(AllocationId id) {
        AllocationFolder folder = new AllocationFolder(path(id));
        return Files.isDirectory(folder.path(), LinkOption.NOFOLLOW_LINKS) ? Optional.of(folder) : Optional.empty();
    }

    /** Atomic: after a crash the directory is complete or missing. */
    AllocationFolder make(AllocationFolder.SavedAllocation saved) throws IOException {
        AllocationId id = saved.allocation().id();
        Path unfinished = allocations.resolve(".new-" + id);
        FileTree.delete(unfinished);
        try {
            DurableFiles.makeDirectories(unfinished);
            AllocationFolder.fill(unfinished, saved);
            DurableFiles.move(unfinished, path(id));
        } catch (IOException e) {
            FileTree.delete(unfinished);
            throw e;
        }
        return new AllocationFolder(path(id));
    }

    /** Moves the directory to the trash, then deletes it. The next start empties a trash that a crash left. */
    void destroy(AllocationFolder folder) throws IOException {
        if (!allocations.equals(folder.path().getParent())) {
            throw new IllegalArgumentException(folder.path() + " does not lie in " + allocations);
        }
        Path doomed = trash.resolve(folder.path().getFileName() + "." + System.nanoTime());
        synchronized (tokens) {
            DurableFiles.move(folder.path(), doomed);
            tokens.keySet().removeIf(id -> folder.path().equals(path(id)));
        }
        FileTree.delete(doomed);
    }

    private void emptyTrash() throws IOException {
        try (Stream<Path> doomed = Files.list(trash)) {
            for (Path path : doomed.toList()) {
                FileTree.delete(path);
            }
        }
    }

    private Path path(AllocationId id) {
        return allocations.resolve(id.value());
    }

    /** The bearer token of the executor of an allocation. It never changes, and is asked for every second. */
    private Optional<String> token(AllocationId id) {
        synchronized (tokens) {
            return Optional.ofNullable(tokens.computeIfAbsent(id, this::readToken));
        }
    }

    /** How to call the executor at this address. */
    Optional<ExecutorAccess> access(AllocationId id, String address, int port) {
        boolean door = find(id).filter(AllocationFolder::hasDoor).isPresent();
        return token(id)
                .map(token -> door
                        ? ExecutorAccess.https(address, port, token, id)
                        : ExecutorAccess.http(address, port, token));
    }

    /** The doors of all executors that have one. */
    Map<AllocationId, DoorFiles> doors() throws IOException {
        Map<AllocationId, DoorFiles> doors = new HashMap<>();
        for (AllocationFolder folder : all()) {
            try {
                AllocationId id = new AllocationId(folder.path().getFileName().toString());
                folder.door().ifPresent(door -> doors.put(id, door));
            } catch (IllegalArgumentException e) {
                // no allocation but somebody's copy of a folder; the start has warned about it
            }
        }
        return doors;
    }

    /**
     * Makes a damaged token again. What runs with the former one does not answer any more.
     *
     * @return whether it did
     */
    boolean renewToken(AllocationFolder folder) {
        if (folder.hasToken()) {
            return false;
        }
        try {
            synchronized (tokens) {
                folder.writeToken();
                tokens.keySet().removeIf(id -> folder.path().equals(path(id)));
            }
            LOG.error("the token of {} was damaged, and is made again", folder.path());
            return true;
        } catch (IOException e) {
            LOG.error("the token of {} is damaged and cannot be made again: {}", folder.path(), ThrowableText.of(e));
            return false;
        }
    }

    private @Nullable String readToken(AllocationId id) {
        try {
            Optional<AllocationFolder> folder = find(id);
            return folder.isEmpty() ? null : folder.get().token();
        } catch (IOException e) {
            LOG.warn("the token of {} cannot be read: {}", id, ThrowableText.of(e));
            return null;
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("releasing {}: {}", allocations, ThrowableText.of(e));
        }
    }
}
