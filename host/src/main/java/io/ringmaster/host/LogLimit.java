package io.ringmaster.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A limit for logs that processes hold open, which none of them can replace by another file. The end of the log is
 * copied to {@code <name>.1}, and the log is emptied. It must be open for appending wherever it is written: each writer
 * then goes on at its new end. What is written between copy and truncation is lost.
 */
public final class LogLimit {
    private LogLimit() {}

    /** Where the end of a log is that was emptied. */
    public static Path copyOf(Path log) {
        return log.resolveSibling(log.getFileName() + ".1");
    }

    /**
     * Empties a log that is longer. A log that is not there is fine.
     *
     * @throws IOException the log cannot be read or emptied
     */
    public static void keep(Path log, long maxBytes) throws IOException {
        if (log.toFile().length() <= maxBytes) {
            return;
        }
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            copyEnd(channel, copyOf(log), maxBytes);
            channel.truncate(0);
        } catch (NoSuchFileException e) {
            // was removed meanwhile
        }
    }

    private static void copyEnd(FileChannel log, Path copy, long maxBytes) throws IOException {
        Files.deleteIfExists(copy); // before the copy, because the disk may be full
        try (FileChannel out = FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long end = log.size();
            for (long from = Math.max(0, end - maxBytes); from < end; ) {
                from += log.transferTo(from, end - from, out);
            }
        } catch (IOException e) {
            Files.deleteIfExists(copy); // no room for both: the limit counts
        }
    }
}
