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

/** The logs by name: a fixed table, so that no path comes from outside. */
final class LogFiles {
    private static final int MAX_BYTES = 1024 * 1024;

    private static final Map<String, Function<NodeFiles, Path>> FILES = new TreeMap<>(Map.of(
            "system", NodeFiles::systemLog,
            "daemon", NodeFiles::daemonLog,
            "gc", NodeFiles::gcLog,
            "executor", NodeFiles::executorLog));

    private LogFiles() {}

    /** The last lines, also of files that were rolled away, at most a mebibyte of each; empty while there is no such file yet. */
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

    /** A log and what was rolled away of it: {@code gc.log}, {@code gc.log.3}, {@code gc.log.2}. */
    private static List<Path> newestFirst(Path log) throws IOException {
        String rolled = Pattern.quote(log.getFileName().toString()) + "\\.\\d+";
        Path folder = log.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> files = new ArrayList<>();
        try (Stream<Path> entries = Files.list(folder)) {
            entries.filter(p -> p.getFileName().toString().matches(rolled)).forEach(files::add);
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
