package io.ringmaster.backup.store;

import io.ringmaster.backup.store.StoreException.Reason;
import io.ringmaster.host.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Objects as files of a folder, such as a shared mount. The folder must have its marker: a mount that is missing is an
 * error, not an empty store, and a request during which the mount changed has failed. Contents are not compared with
 * their SHA-256 on the way in, because that would treble the CPU time of a put; the length is.
 */
public final class FolderStore implements BackupStore {
    /** Parts of unfinished puts; its name is no key. In one place, so that old ones are found without a walk. */
    private static final String UNFINISHED = "unfinished~";
    /** No put takes as long. */
    private static final Duration ABANDONED = Duration.ofDays(1);
    /** The JDK keeps a direct buffer of the size of the largest transfer for each thread. */
    private static final int CHUNK_BYTES = 128 << 10;

    private final Path folder;
    private final FolderRoot root;
    private final AtomicBoolean cleaned = new AtomicBoolean();

    public FolderStore(Path folder) {
        this(new FolderRoot(folder.toAbsolutePath().normalize()));
    }

    FolderStore(FolderRoot root) {
        this.folder = root.folder();
        this.root = root;
    }

    /**
     * Makes a folder a location: creates the marker, if it is missing, that a mounted folder is known by.
     *
     * @throws StoreException the folder does not exist, or cannot be written
     */
    public static void mark(Path folder) throws IOException {
        try {
            FolderRoot.mark(folder);
        } catch (NoSuchFileException e) {
            throw new StoreException(Reason.NO_BUCKET, "the folder " + folder + " does not exist", e);
        } catch (IOException e) {
            throw new StoreException(
                    FolderFailures.reason(e),
                    "cannot create " + folder.resolve(FolderRoot.MARKER) + ": " + FolderFailures.text(e)
                            + " -> create that file as a user who may",
                    e);
        }
    }

    @Override
    public void put(String key, Content content) throws IOException, InterruptedException {
        Path file = file(key);
        Path unfinished = folder.resolve(UNFINISHED).resolve(UUID.randomUUID().toString());
        try (var body = new ContentReader(content)) {
            try {
                Object before = root.require();
                write(body, unfinished);
                makeDirectories(parent(file));
                DurableFiles.move(unfinished, file);
                root.requireSame(before);
            } catch (IOException e) {
                body.rethrow();
                // a part that is gone was on a mount that is not there any more
                throw e instanceof NoSuchFileException ? root.changed() : failure("put " + key, e);
            } finally {
                deleteQuietly(unfinished);
            }
        }
    }

    private void write(ContentReader body, Path unfinished) throws IOException, InterruptedException {
        makeDirectories(parent(unfinished));
        try (InputStream in = body.open();
                FileChannel out =
                        FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            byte[] chunk = new byte[CHUNK_BYTES];
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                ByteBuffer left = ByteBuffer.wrap(chunk, 0, read);
                while (left.hasRemaining()) {
                    out.write(left);
                }
            }
            out.force(true);
        }
        if (cleaned.compareAndSet(false, true)) {
            // by the clock of the folder, which others share; that of this machine may be wrong
            removeAbandoned(Files.getLastModifiedTime(unfinished).toInstant().minus(ABANDONED));
        }
    }

    /** Durable, and with the modes of the umask: servers and nodes that share the folder may be different users. */
    private void makeDirectories(Path directory) throws IOException {
        if (!directory.equals(folder) && !Files.isDirectory(directory)) {
            Path parent = parent(directory);
            makeDirectories(parent);
            Files.createDirectories(directory);
            try (FileChannel names = FileChannel.open(parent, StandardOpenOption.READ)) {
                names.force(true);
            }
        }
    }

    private void removeAbandoned(Instant before) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.resolve(UNFINISHED))) {
            for (Path file : files) {
                attributes(file)
                        .filter(a -> a.lastModifiedTime().toInstant().isBefore(before))
                        .ifPresent(old -> deleteQuietly(file));
            }
        }
    }

    @Override
    public int get(String key, long offset, byte[] into) throws IOException, InterruptedException {
        try (FileChannel in = FileChannel.open(file(key), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            int read = 0;
            while (read < into.length) {
                ByteBuffer chunk = ByteBuffer.wrap(into, read, Math.min(CHUNK_BYTES, into.length - read));
                int more = in.read(chunk, offset + read);
                if (more < 0) {
                    break;
                }
                read += more;
            }
            return read;
        } catch (IOException e) {
            throw failure("get " + key, e);
        }
    }

    @Override
    public Optional<ObjectInfo> stat(String key) throws IOException, InterruptedException {
        try {
            Object before = root.require();
            Optional<ObjectInfo> found = attributes(file(key))
                    .filter(BasicFileAttributes::isRegularFile)
                    .map(a -> info(key, a));
            if (found.isEmpty()) {
                root.requireSame(before);
            }
            return found;
        } catch (IOException e) {
            throw failure("stat " + key, e);
        }
    }

    @Override
    public List<ObjectInfo> list(String prefix, @Nullable String after, int limit)
            throws IOException, InterruptedException {
        try {
            Object before = root.require();
            List<ObjectInfo> found = new FolderList(folder, ObjectKeys.prefix(prefix), after, limit).objects();
            root.requireSame(before);
            return found;
        } catch (IOException e) {
            throw failure(("list " + prefix).strip(), e);
        }
    }

    @Override
    public void delete(Collection<String> keys) throws IOException, InterruptedException {
        String request = "delete";
        try {
            Object before = root.require();
            for (String key : keys) {
                request = "delete " + key;
                delete(file(key));
            }
            root.requireSame(before);
        } catch (IOException e) {
            throw failure(request, e);
        }
    }

    /** Directories stay, because other puts may be about to use them. */
    private static void delete(Path file) throws IOException {
        if (attributes(file).filter(a -> !a.isDirectory()).isPresent()) {
            DurableFiles.delete(file);
        }
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
        return folder.toString();
    }

    private Path file(String key) {
        return folder.resolve(ObjectKeys.key(key));
    }

    private static Path parent(Path file) {
        return Objects.requireNonNull(file.getParent(), "a file is in a directory");
    }

    /** Empty if there is no such file. */
    static Optional<BasicFileAttributes> attributes(Path file) throws IOException {
        try {
            return Optional.of(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException | NotDirectoryException e) {
            return Optional.empty();
        }
    }

    static ObjectInfo info(String key, BasicFileAttributes file) {
        return new ObjectInfo(key, file.size(), file.lastModifiedTime().toInstant());
    }

    private static void deleteQuietly(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // a later put removes it
        }
    }

    private StoreException failure(String request, IOException e) throws InterruptedException {
        if (e instanceof ClosedByInterruptException) {
            Thread.interrupted();
            throw new InterruptedException(folder + ": " + request);
        }
        if (e instanceof StoreException known) {
            return known;
        }
        try {
            root.require();
        } catch (StoreException absent) {
            return absent;
        } catch (IOException again) {
            // as the request, which says what is wrong
        }
        Reason reason = FolderFailures.reason(e);
        String next = reason == Reason.FULL ? " -> make room there, or use another location" : "";
        return new StoreException(reason, folder + ": " + request + ": " + FolderFailures.text(e) + next, e);
    }
}
