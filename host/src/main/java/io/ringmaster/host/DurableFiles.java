package io.ringmaster.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Atomic and durable file operations. A reader sees the old content or the new one, never a part of either, and the
 * new one is on disk when the call returns. Only this user can read what is made here.
 */
public final class DurableFiles {
    private static final FileAttribute<?> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<?> PRIVATE_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final AtomicLong WRITES = new AtomicLong();

    private DurableFiles() {}

    /** Creates or replaces a file. Concurrent writers are safe: the last rename wins. */
    public static void write(Path file, byte[] content) throws IOException {
        Path temporary = temporary(file, content);
        try {
            move(temporary, file);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    /**
     * Creates a file unless there is one. Of concurrent writers the first wins.
     *
     * @return whether this call created it
     */
    public static boolean create(Path file, String text) throws IOException {
        Path temporary = temporary(file, text.getBytes(StandardCharsets.UTF_8));
        try {
            Files.createLink(file, temporary);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        } finally {
            Files.delete(temporary);
            sync(directoryOf(file));
        }
    }

    /** Writes the content to disk beside the file. */
    private static Path temporary(Path file, byte[] content) throws IOException {
        // pid and counter keep two writers of one file apart; Files.createTempFile would load SecureRandom into each
        // executor
        Path temporary = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + "-" + WRITES.incrementAndGet() + ".new");
        Files.deleteIfExists(temporary);
        try (FileChannel out = FileChannel.open(
                temporary, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), PRIVATE_FILE)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                out.write(left);
            }
            out.force(true);
            return temporary;
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    public static void write(Path file, String text) throws IOException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    public static void makeDirectories(Path directory) throws IOException {
        Files.createDirectories(directory, PRIVATE_DIRECTORY);
    }

    /** Renames within one file system; replaces {@code to}. */
    public static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        sync(directoryOf(to));
    }

    /** A file that is not there is fine. */
    public static void delete(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            sync(directoryOf(file));
        }
    }

    private static Path directoryOf(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a directory");
    }

    /** A change of names is durable only once its directory is on disk. */
    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
