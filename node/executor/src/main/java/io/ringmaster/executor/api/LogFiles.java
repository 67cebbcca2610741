package io.ringmaster.executor.api;

import io.ringmaster.executor.configuration.NodeFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The logs by name. The table is fixed, so that no request can name a path. */
final class LogFiles {
    private static final int MAX_BYTES = 1024 * 1024;

    private static final Map<String, Function<NodeFiles, Path>> FILES = new TreeMap<>(Map.of(
            "system", NodeFiles::systemLog,
            "daemon", NodeFiles::daemonLog,
            "gc", NodeFiles::gcLog,
            "executor", NodeFiles::executorLog));

    private LogFiles() {}

    /** The last lines of the log and its rotated files, from at most 1 MiB of each; empty if none exists yet. */
    static String tail(NodeFiles files, String name, int lines) throws IOException {
        Function<NodeFiles, Path> file = FILES.get(name);
        if (file == null) {
            throw new BadRequest("file", "'" + name + "' must be one of " + FILES.keySet());
        }
        String text = "";
        int missing = lines;
        for (Path path : newestFirst(file.apply(files))) {
            text = tail(path, missing) + text;
            missing = lines - (int) text.lines().count();
            if (missing <= 0) {
                break;
            }
        }
        return text;
    }

    /** A log and its rotated files, such as {@code gc.log}, {@code gc.log.3}, {@code gc.log.2}. */
    private static List<Path> newestFirst(Path log) throws IOException {
        String rotated = Pattern.quote(log.getFileName().toString()) + "\\.\\d+";
        Path folder = log.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> files = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            entries.filter(p -> p.getFileName().toString().matches(rotated)).forEach(files::add);
        }
        files.sort(Comparator.comparing((Path p) -> p.toFile().lastModified()).reversed());
        if (Files.exists(log)) {
            files.add(0, log);
        }
        return files;
    }

    private static String tail(Path path, int lines) throws IOException {
        try (RandomAccessFile log = new RandomAccessFile(path.toFile(), "r")) {
            long from = Math.max(0, log.length() - MAX_BYTES);
            byte[] bytes = new byte[(int) (log.length() - from)];
            log.seek(from);
            log.readFully(bytes);
            int start = bytes.length;
            for (int left = lines + 1; start > 0; start--) {
                boolean isLastNewline = start == bytes.length;
                if (bytes[start - 1] == '\n' && (isLastNewline ? left : --left) == 1) {
                    break;
                }
            }
            return new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8);
        }
    }
}
