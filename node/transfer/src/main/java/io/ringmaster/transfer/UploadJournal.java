package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.Cut;
import io.ringmaster.backup.repository.FileEntry;
import io.ringmaster.backup.slice.FileIdentity;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.host.HeldLock;
import io.ringmaster.json.Json;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an upload has achieved, line by line, each on disk before anything depends on it. One process at a time has it
 * open.
 */
final class UploadJournal implements Closeable {
    static final String NAME = "journal.jsonl";

    /** Not the journal, which is opened again to read it: that would give its lock back. */
    private static final String LOCK = "journal.lock";

    /**
     * A line; one component is there.
     *
     * @param start the intent is put: what the upload decided then
     * @param snapshot the paths of all files of the snapshot, before the first one is deleted from it
     * @param sent a blob that this upload put
     * @param files whose blobs are all in the store
     * @param done the message of the finished upload
     */
    record Line(
            @Nullable Start start,
            @Nullable List<String> snapshot,
            @Nullable Sent sent,
            @Nullable List<Stored> files,
            @Nullable String done) {}

    /**
     * @param base the backup whose blobs need not be sent
     * @param cut when the snapshot was taken, by the clock of the store; null if a former version put the intent
     */
    record Start(long epoch, @Nullable BackupId base, @Nullable Cut cut) {}

    /** @param size in bytes */
    record Sent(BlobName blob, long size) {}

    record Stored(FileIdentity key, FileEntry file) {}

    /** What is done with each line. */
    @FunctionalInterface
    interface Visitor {
        /**
         * @param offset of the line in the file, in bytes
         * @param length of the line with its end, in bytes
         */
        void visit(Line line, long offset, int length) throws IOException;
    }

    private final Path file;
    private final HeldLock lock;
    private final FileChannel channel;

    /** Opens or creates a journal; waits while a process has it that is about to halt. */
    UploadJournal(Path file) throws IOException, InterruptedException {
        this.file = file;
        DurableFiles.makeDirectories(Objects.requireNonNull(file.getParent(), "a file is in a directory"));
        lock = HeldLock.take(file.resolveSibling(LOCK));
        try {
            channel = atEnd(file);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static FileChannel atEnd(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        try {
            long[] end = {0};
            read(file, (line, offset, length) -> end[0] = offset + length);
            channel.truncate(end[0]); // the line that was being written when the process was killed
            channel.position(end[0]);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    void start(Start start) throws IOException {
        append(new Line(start, null, null, null, null));
    }

    void snapshot(List<String> paths) throws IOException {
        append(new Line(null, List.copyOf(paths), null, null, null));
    }

    void sent(BlobName blob, long size) throws IOException {
        append(new Line(null, null, new Sent(blob, size), null, null));
    }

    void files(List<Stored> files) throws IOException {
        append(new Line(null, null, null, List.copyOf(files), null));
    }

    void done(String message) throws IOException {
        append(new Line(null, null, null, null, message));
    }

    private synchronized void append(Line line) throws IOException {
        ByteBuffer left = ByteBuffer.wrap((Json.text(line) + "\n").getBytes(StandardCharsets.UTF_8));
        while (left.hasRemaining()) {
            channel.write(left);
        }
        channel.force(false);
    }

    void read(Visitor visitor) throws IOException {
        read(file, visitor);
    }

    /** Reads all whole lines of a journal. */
    static void read(Path file, Visitor visitor) throws IOException {
        try (var lines = new LineReader(file)) {
            long offset = 0;
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                visitor.visit(Json.parse(line, Line.class), offset, line.length + 1);
                offset += line.length + 1;
            }
        }
    }

    /** Reads one line. */
    static Line read(Path file, long offset, int length) throws IOException {
        byte[] line = new byte[length];
        try (var in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(offset);
            in.readFully(line);
        }
        return Json.parse(line, Line.class);
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            channel.close();
        }
    }
}
