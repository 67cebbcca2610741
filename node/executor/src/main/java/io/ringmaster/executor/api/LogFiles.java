package io.ringmaster.executor.api;

import io.ringmaster.executor.configuration.NodeFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The logs by name: a fixed table, so that no path comes from outside. */
final class LogFiles {
    private static final int MAX_BYTES = 1024 * 1024;

    private static final Map<String, Function<NodeFiles, Path>> FILES = new TreeMap<>(Map.of(
            "system", NodeFiles::systemLog,
            "daemon", NodeFiles::daemonLog,
            "gc", NodeFiles::gcLog,
            "executor", NodeFiles::executorLog));

    private LogFiles() {}

    /** The last lines, at most a mebibyte; empty while there is no such file yet. */
    static String tail(NodeFiles files, String name, int lines) throws IOException {
        Function<NodeFiles, Path> file = FILES.get(name);
        if (file == null) {
            throw new BadRequest("file", "'" + name + "' must be one of " + FILES.keySet());
        }
        Path path = file.apply(files);
        return Files.exists(path) ? tail(path, lines) : "";
    }

    private static String tail(Path path, int lines) throws IOException {
        try (RandomAccessFile log = new RandomAccessFile(path.toFile(), "r")) {
            long from = Math.max(0, log.length() - MAX_BYTES);
            byte[] bytes = new byte[(int) (log.length() - from)];
            log.seek(from);
            log.readFully(bytes);
            int begin = bytes.length;
            for (int left = lines + 1; begin > 0; begin--) {
                boolean isLastNewline = begin == bytes.length;
                if (bytes[begin - 1] == '\n' && (isLastNewline ? left : --left) == 1) {
                    break;
                }
            }
            return new String(bytes, begin, bytes.length - begin, StandardCharsets.UTF_8);
        }
    }
}
