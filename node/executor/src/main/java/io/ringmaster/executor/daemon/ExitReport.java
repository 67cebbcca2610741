package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why a daemon ended: from its exit code, its output, and the error with which Cassandra says that it ends.
 */
public final class ExitReport {
    private static final int SIGNAL_BASE = 128;

    /** The exit codes of a JVM that another process or a person ended: its logs do not have the reason. */
    private static final Map<Integer, String> SENT = Map.of(129, "HUP", 130, "INT", 137, "KILL", 143, "TERM");

    /** That of the JVM with -XX:+ExitOnOutOfMemoryError; Cassandra has it as well, and logs an error then. */
    private static final int OUT_OF_MEMORY = 3;

    /**
     * A known cause.
     *
     * @param pattern the pattern whose first group is the message of Cassandra or the JVM
     * @param nextStep null to read the log of the node
     */
    private record Cause(Pattern pattern, ErrorCode code, @Nullable String field, @Nullable String nextStep) {
        Cause(String pattern, ErrorCode code, @Nullable String field, @Nullable String nextStep) {
            this(Pattern.compile(pattern, Pattern.MULTILINE), code, field, nextStep);
        }
    }

    private static final List<Cause> CAUSES = List.of(
            new Cause(
                    "(No space left on device)",
                    ErrorCode.DISK_FULL,
                    null,
                    "free disk space on the machine, or delete snapshots"),
            new Cause(
                    // possessive: a loop that may give lines back needs a stack frame for each
                    "^(Unrecognized VM option .*|Invalid .*|Conflicting collector .*|Unrecognized option: .*"
                            + "|.* must be .*|Improperly specified VM option .*|VM option '.*)\n"
                            + "(?:(?!Error: Could).*\n)*+Error: Could not create the Java Virtual Machine",
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

    private final NodeFiles files;
    private final RunMark start;

    /** @param start taken before the daemon started: only what is printed and logged after it counts */
    public ExitReport(NodeFiles files, RunMark start) {
        this.files = files;
        this.start = start;
    }

    /**
     * For a daemon that another executor started, if there is one.
     *
     * @param state its record; without a mark of its start, only what is logged from now on counts
     */
    public static ExitReport ofAdopted(NodeFiles files, DaemonState state) {
        RunMark start = state.run();
        return new ExitReport(files, start == null ? RunMark.now(files) : start);
    }

    /** The last error that the daemon has logged since its start, which may still run. */
    public Optional<String> lastError() {
        return Optional.ofNullable(RunLogs.of(files, start).lastError());
    }

    /** @param node the one whose daemon ended */
    public Problem problem(NodeId node, long pid, OptionalInt exitCode) {
        String end = end(pid, exitCode);
        if (exitCode.isPresent() && SENT.containsKey(exitCode.getAsInt())) {
            return Problem.of(
                    ErrorCode.DAEMON_FAILED, end, "find out who sent it: dmesg shows the kernel's reasons for a KILL");
        }
        RunLogs logs = RunLogs.of(files, start);
        Matcher outdated = OUTDATED.matcher(logs.lastWord());
        if (outdated.find()) {
            return outdated(node, outdated.group(1), outdated.group(2));
        }
        Optional<Problem> known = known(node, end, List.of(logs.printed(), logs.lastWord()));
        if (known.isPresent()) {
            return known.get();
        }
        boolean silent = logs.lastWord().isEmpty() && exitCode.equals(OptionalInt.of(OUT_OF_MEMORY));
        if (silent || dump(pid).isPresent()) {
            return new Problem(
                    ErrorCode.DAEMON_FAILED, "heap", end + ": OutOfMemoryError", Advice.of("raise heap in the spec"));
        }
        String error = exitCode.isPresent() ? logs.lastError() : null;
        return Problem.of(ErrorCode.DAEMON_FAILED, error == null ? end : end + ": " + error, Advice.nodeLogs(node));
    }

    /** @param texts in which the JVM and Cassandra say why they end; a client's words may be in all others */
    private static Optional<Problem> known(NodeId node, String end, List<String> texts) {
        for (Cause cause : CAUSES) {
            for (String text : texts) {
                Matcher match = cause.pattern.matcher(text);
                if (match.find()) {
                    return Optional.of(new Problem(
                            cause.code,
                            cause.field,
                            end + ": " + match.group(1).trim(),
                            cause.nextStep == null ? Advice.nodeLogs(node) : Advice.of(cause.nextStep)));
                }
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
        return end(exitCode)
                + (isOfThisRun(crash) ? ", the JVM crashed, see " + crash : "")
                + dump(pid)
                        .map(heap -> ", its heap is in " + DaemonLeftovers.withSize(heap))
                        .orElse("");
    }

    private static String end(OptionalInt exitCode) {
        if (exitCode.isEmpty()) {
            return "Cassandra ended, and its exit code is not known, because an earlier executor started it";
        }
        int code = exitCode.getAsInt();
        return SENT.containsKey(code)
                ? "Cassandra was ended by signal " + (code - SIGNAL_BASE) + " (" + SENT.get(code) + ")"
                : "Cassandra ended with exit code " + code;
    }

    /** The heap that the JVM wrote when its memory ended, if it did so since the start. */
    private Optional<Path> dump(long pid) {
        return Optional.of(files.logs().resolve("java_pid" + pid + ".hprof")).filter(this::isOfThisRun);
    }

    private boolean isOfThisRun(Path file) {
        try {
            // file systems keep a second, or less
            return !Files.getLastModifiedTime(file).toInstant().plusSeconds(1).isBefore(start.at());
        } catch (IOException e) {
            return false; // there is none
        }
    }
}
