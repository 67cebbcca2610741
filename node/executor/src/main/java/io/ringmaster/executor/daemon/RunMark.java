package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.NodeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where the log of a run starts: what stood in Cassandra's log before says nothing about the end of this run.
 *
 * @param at the time just before the daemon's start
 * @param log the file that was Cassandra's log then, whatever its name is now; null if there was none
 * @param bytes its length then
 */
public record RunMark(Instant at, @Nullable String log, long bytes) {

    /** To be taken just before a daemon starts. */
    public static RunMark now(NodeFiles files) {
        Instant now = Instant.now();
        Path log = files.systemLog();
        String key = key(log);
        return new RunMark(now, key, key == null ? 0 : log.toFile().length());
    }

    /** Whether this path names the file of the mark, and that still has what it had then. */
    boolean isIn(Path path) {
        return log != null && log.equals(key(path)) && path.toFile().length() >= bytes;
    }

    /** Device and inode, which stay when the log is rotated. */
    private static @Nullable String key(Path path) {
        try {
            return String.valueOf(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            return null; // there is no such file
        }
    }
}
