package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds out why a daemon ended, from its output and log since its start. */
public final class ExitReport {
    private static final int TAIL_BYTES = 256 * 1024;
    private static final int SIGNAL_BASE = 128;

    /**
     * A known cause.
     *
     * @param message finds the message of Cassandra or the JVM in a log
     * @param nextStep null to read the log of the node
     */
    private record Cause(
            Function<String, Optional<String>> message,
            ErrorCode code,
            @Nullable String field,
            @Nullable String nextStep) {
        /** @param pattern the first group is the message; it must not repeat over lines: each takes stack */
        Cause(String pattern, ErrorCode code, @Nullable String field, @Nullable String nextStep) {
            this(first(Pattern.compile(pattern, Pattern.MULTILINE)), code, field, nextStep);
        }

        private static Function<String, Optional<String>> first(Pattern pattern) {
            return text -> {
                Matcher match = pattern.matcher(text);
                return match.find() ? Optional.of(match.group(1)) : Optional.empty();
            };
        }
    }

    private static final Pattern BAD_OPTION = Pattern.compile("Unrecognized VM option .*|Invalid .*"
            + "|Conflicting collector .*|Unrecognized option: .*|.* must be .*"
            + "|Improperly specified VM option .*|VM option '.*");

    private static final List<Cause> CAUSES = List.of(
            new Cause(
                    "(No space left on device)",
                    ErrorCode.DISK_FULL,
                    null,
                    "free disk space on the machine, or delete snapshots"),
            new Cause(
                    ExitReport::badOption,
                    ErrorCode.CONFIGURATION_REJECTED,
                    "jvm.options",
                    "correct the option in the spec and apply it again"),
            new Cause(
                    "(Could not reserve enough space.*|There is insufficient memory for the Java Runtime.*)",
                    ErrorCode.DAEMON_FAILED,
                    "heap",
                    "give the node a smaller heap, or the machine more memory"),
            new Cause(
                    "(no server gave .* its seeds .*)",
                    ErrorCode.SEEDS_UNKNOWN,
                    null,
                    "check that the servers of every datacenter of the cluster run"),
            new Cause(
                    // unanchored, .* starts again at each character of a line, and the long lines of a log take a
                    // minute
                    "(Address already in use.*|^.* is in use by another process.*)",
                    ErrorCode.DAEMON_FAILED,
                    null,
                    "free the port"),
            // before the heap: Cassandra fills the heap on purpose when another memory ends, so that the JVM ends
            new Cause(
                    "(OutOfMemoryError: (?:Cannot reserve .* of direct buffer memory.*|Direct buffer memory))",
                    ErrorCode.DAEMON_FAILED,
                    "jvm.options",
                    "raise the limit of direct memory, which is not the heap, with -XX:MaxDirectMemorySize in"
                            + " jvm.options, and node.memory with it"),
            new Cause(
                    "(OutOfMemoryError: (?:Metaspace|Compressed class space))",
                    ErrorCode.DAEMON_FAILED,
                    "jvm.options",
                    "raise the limit of the class space, which is not the heap, in jvm.options"),
            new Cause(
                    "(OutOfMemoryError: unable to create native thread.*)",
                    ErrorCode.DAEMON_FAILED,
                    null,
                    "raise the limit of threads of the machine, or node.memory"),
            new Cause("(OutOfMemoryError.*)", ErrorCode.DAEMON_FAILED, "heap", "raise heap in the spec"),
            new Cause(
                    "ConfigurationException[):]*\\s*(?:encountered during startup)?:?\\s*(.+)",
                    ErrorCode.CONFIGURATION_REJECTED,
                    "cassandra_yaml",
                    "correct the parameter in the spec and apply it again"),
            new Cause("encountered during startup: (.+)", ErrorCode.DAEMON_FAILED, null, null));

    /** Cassandra's start-up check of the heartbeat on the volume (CASSANDRA-17180): when it was written, and tables. */
    private static final Pattern OUTDATED = Pattern.compile(
            "gc_grace_seconds is older than the lastly known time .* with timestamp (\\S+)\\. .*Invalid tables: (.*)");

    private static final Pattern LAST_ERROR =
            Pattern.compile("^ERROR .*? - (.*(?:\n(?!\\w+ +\\[|\tat ).*)?)", Pattern.MULTILINE);

    private final NodeFiles files;
    private final long systemLogFrom;
    private final Instant from;

    private ExitReport(NodeFiles files, long systemLogFrom, Instant from) {
        this.files = files;
        this.systemLogFrom = systemLogFrom;
        this.from = from;
    }

    /** To be created before the daemon starts: only what is logged from now on counts. */
    public static ExitReport fromNow(NodeFiles files) {
        return new ExitReport(files, size(files.systemLog()), Instant.now());
    }

    /** For a daemon that another executor started: the whole logs count. */
    public static ExitReport ofAdopted(NodeFiles files) {
        return new ExitReport(files, 0, Instant.EPOCH);
    }

    /** The last error that the daemon has logged since its start, which may still run. */
    public Optional<String> lastError() {
        return Optional.ofNullable(lastError(tail(files.systemLog(), systemLogFrom)));
    }

    /** @param node the one whose daemon ended */
    public Problem problem(NodeId node, long pid, OptionalInt exitCode) {
        String printed = tail(files.daemonLog(), 0); // each run has its own
        String logged = tail(files.systemLog(), systemLogFrom);
        String end = end(pid, exitCode);
        if (isKilled(exitCode)) {
            return Problem.of(ErrorCode.DAEMON_FAILED, end, "find out who killed it: dmesg shows the kernel's reasons");
        }
        Matcher outdated = OUTDATED.matcher(logged);
        if (outdated.find()) {
            return outdated(node, outdated.group(1), outdated.group(2));
        }
        for (Cause cause : CAUSES) {
            for (String text : List.of(printed, logged)) {
                Optional<String> message = cause.message.apply(text);
                if (message.isPresent()) {
                    return new Problem(
                            cause.code,
                            cause.field,
                            end + ": " + message.get().trim(),
                            cause.nextStep == null ? Advice.nodeLogs(node) : Advice.of(cause.nextStep));
                }
            }
        }
        if (dump(pid).isPresent()) {
            return new Problem(
                    ErrorCode.DAEMON_FAILED, "heap", end + ": OutOfMemoryError", Advice.of("raise heap in the spec"));
        }
        String error = lastError(logged);
        return Problem.of(ErrorCode.DAEMON_FAILED, error == null ? end : end + ": " + error, Advice.nodeLogs(node));
    }

    /** What the JVM says of an option before it gives up. */
    private static Optional<String> badOption(String text) {
        String option = null;
        for (String line : text.split("\n", -1)) {
            if (option != null && line.startsWith("Error: Could not create the Java Virtual Machine")) {
                return Optional.of(option);
            }
            if (option == null && BAD_OPTION.matcher(line).matches()) {
                option = line;
            }
        }
        return Optional.empty();
    }

    private static Problem outdated(NodeId node, String last, String tables) {
        return Problem.of(
                ErrorCode.VOLUME_OUTDATED,
                "Cassandra does not start on its volume: it ran there until " + last
                        + ", longer ago than gc_grace_seconds of " + tables.trim()
                        + ", so rows that were deleted meanwhile could return",
                Advice.replaceNode(node));
    }

    private String end(long pid, OptionalInt exitCode) {
        Path crash = files.logs().resolve("hs_err_pid" + pid + ".log");
        String end = exitCode.isEmpty()
                ? "Cassandra ended"
                : isKilled(exitCode)
                        ? "Cassandra was ended by signal " + (exitCode.getAsInt() - SIGNAL_BASE)
                        : "Cassandra ended with exit code " + exitCode.getAsInt();
        String crashed = Files.exists(crash) ? end + ", the JVM crashed, see " + crash : end;
        return crashed + dump(pid).map(heap -> ", its heap is in " + heap).orElse("");
    }

    /** The heap that the JVM wrote when its memory ended, if it did so since the start. */
    private Optional<Path> dump(long pid) {
        Path heap = files.logs().resolve("java_pid" + pid + ".hprof");
        try {
            // file systems keep a second, or less
            return Files.getLastModifiedTime(heap).toInstant().plusSeconds(1).isBefore(from)
                    ? Optional.empty()
                    : Optional.of(heap);
        } catch (IOException e) {
            return Optional.empty(); // there is none
        }
    }

    private static boolean isKilled(OptionalInt exitCode) {
        return exitCode.isPresent() && exitCode.getAsInt() == SIGNAL_BASE + 9;
    }

    private static @Nullable String lastError(String log) {
        String last = null;
        for (Matcher match = LAST_ERROR.matcher(log); match.find(); ) {
            last = match.group(1).replace('\n', ' ').trim();
        }
        return last;
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    private static String tail(Path file, long from) {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long start = from > log.length() ? 0 : from; // the log was rotated since
            start = Math.max(start, log.length() - TAIL_BYTES);
            byte[] bytes = new byte[(int) (log.length() - start)];
            log.seek(start);
            log.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
