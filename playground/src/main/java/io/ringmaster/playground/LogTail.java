package io.ringmaster.playground;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The end of a log, for messages. */
final class LogTail {
    private static final int BYTES = 16 * 1024;

    private LogTail() {}

    /** At most {@code lines} lines; empty without such a file. */
    static List<String> of(Path log, int lines) {
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            long begin = Math.max(0, file.length() - BYTES);
            file.seek(begin);
            byte[] end = new byte[(int) (file.length() - begin)];
            file.readFully(end);
            List<String> all = new String(end, StandardCharsets.UTF_8).lines().toList();
            return all.subList(Math.max(0, all.size() - lines), all.size());
        } catch (IOException e) {
            return List.of();
        }
    }
}
