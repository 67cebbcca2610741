package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.NodeFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one run of a daemon printed and logged last: at most the last 256 KiB of each. */
final class RunLogs {
    private static final int TAIL_BYTES = 256 * 1024;

    private static final Pattern ENTRY = Pattern.compile("^(?:TRACE|DEBUG|INFO|WARN|ERROR) +\\[.*");
    private static final Pattern ERROR = Pattern.compile("^ERROR +\\[.*?] \\S+ \\S+ (\\S+):\\S+ - (.*)");

    /** The JVM goes on after what it prints so. */
    private static final Pattern WARNING =
            Pattern.compile("^(?:WARNING|.{0,60} VM warning:|\\[[^]]*]\\[(?:warning|info|debug|trace) *]).*");

    /** How Cassandra starts the messages with which it ends, beside those of its class CassandraDaemon. */
    private static final List<String> LAST_WORDS = List.of(
            "JVM state determined to be unstable",
            "Exiting due to error",
            "Exiting forcefully due to",
            "Force heap space OutOfMemoryError");

    /**
     * An error of Cassandra's log.
     *
     * @param source the name of the source file that logged it
     * @param text the message, and the lines after it
     */
    private record Entry(String source, String text) {
        boolean isLastWord() {
            return source.equals("CassandraDaemon.java") || LAST_WORDS.stream().anyMatch(text::startsWith);
        }
    }

    private final String printed;
    private final List<Entry> errors;

    private RunLogs(String printed, List<Entry> errors) {
        this.printed = printed;
        this.errors = errors;
    }

    static RunLogs of(NodeFiles files, RunMark start) {
        String printed = tail(files.daemonLog(), 0, TAIL_BYTES) // each run has its own
                .lines()
                .filter(line -> !WARNING.matcher(line).matches())
                .collect(Collectors.joining("\n"));
        return new RunLogs(printed, errors(logged(files.systemLog(), start)));
    }

    /** What the JVM printed, and Cassandra beside its log, without warnings. */
    String printed() {
        return printed;
    }

    /** The error with which Cassandra said that it ends; empty if it said nothing. */
    String lastWord() {
        return errors.stream().filter(Entry::isLastWord).map(Entry::text).reduce("", (before, last) -> last);
    }

    /** The last error, in one line: its message, and the exception if there is one; null without any error. */
    @Nullable
    String lastError() {
        if (errors.isEmpty()) {
            return null;
        }
        return errors.get(errors.size() - 1)
                .text()
                .lines()
                .limit(2)
                .filter(line -> !line.startsWith("\tat "))
                .collect(Collectors.joining(" "))
                .trim();
    }

    /** What was logged since the start, from the file before as well if the log was rotated meanwhile. */
    private static String logged(Path log, RunMark start) {
        if (start.isIn(log)) {
            return tail(log, start.bytes(), TAIL_BYTES);
        }
        String newest = tail(log, 0, TAIL_BYTES);
        if (start.log() == null) {
            return newest; // whether the file before is of this run is not known
        }
        Path before = log.resolveSibling(log.getFileName() + ".1");
        int left = TAIL_BYTES - newest.length();
        return (left <= 0 ? "" : tail(before, start.isIn(before) ? start.bytes() : 0, left)) + newest;
    }

    private static List<Entry> errors(String logged) {
        List<Entry> errors = new ArrayList<>();
        String source = null;
        StringBuilder text = new StringBuilder();
        for (String line : logged.lines().toList()) {
            if (!ENTRY.matcher(line).matches()) {
                text.append('\n').append(line);
                continue;
            }
            if (source != null) {
                errors.add(new Entry(source, text.toString()));
            }
            Matcher error = ERROR.matcher(line);
            source = error.matches() ? error.group(1) : null;
            text = new StringBuilder(source == null ? "" : error.group(2));
        }
        if (source != null) {
            errors.add(new Entry(source, text.toString()));
        }
        return errors;
    }

    private static String tail(Path file, long from, int limit) {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long length = log.length();
            long start = Math.max(Math.min(from, length), length - limit);
            byte[] bytes = new byte[(int) (length - start)];
            log.seek(start);
            log.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
