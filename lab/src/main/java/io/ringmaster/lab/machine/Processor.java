package io.ringmaster.lab.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Processor time, start time and memory of processes, from /proc; see proc(5). */
public final class Processor {
    private static final Path PROC = Path.of("/proc");
    private static final double TICKS_PER_SECOND = 100;
    private static final Pattern COMPILER = Pattern.compile("\\((?:C1|C2) Compil");
    private static final int STATE = 0;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int START = 19;

    private Processor() {}

    /**
     * User and system time of a process, in seconds. Exact to 10 ms.
     *
     * @throws IOException the process has ended
     */
    public static double seconds(long pid) throws IOException {
        return seconds(Files.readString(file(pid, "stat")));
    }

    /** What the compilers of a JVM (its threads C1 and C2) have used of {@link #seconds}. */
    public static double compilerSeconds(long pid) throws IOException {
        double sum = 0;
        try (Stream<Path> threads = Files.list(file(pid, "task"))) {
            for (Path thread : threads.toList()) {
                String stat;
                try {
                    stat = Files.readString(thread.resolve("stat"));
                } catch (IOException e) {
                    continue; // the thread has ended
                }
                if (COMPILER.matcher(stat).find()) {
                    sum += seconds(stat);
                }
            }
        }
        return sum;
    }

    private static double seconds(String stat) {
        List<String> fields = stat(stat);
        return (Long.parseLong(fields.get(USER)) + Long.parseLong(fields.get(SYSTEM))) / TICKS_PER_SECOND;
    }

    /** The sum of several processes, in seconds. */
    public static double sum(List<Long> pids) throws IOException {
        double sum = 0;
        for (long pid : pids) {
            sum += seconds(pid);
        }
        return sum;
    }

    /** Time of the fork, in seconds since the boot of the machine, like {@link #uptimeSeconds}. */
    public static double startedAt(long pid) throws IOException {
        return Long.parseLong(stat(Files.readString(file(pid, "stat"))).get(START)) / TICKS_PER_SECOND;
    }

    public static double uptimeSeconds() throws IOException {
        return Double.parseDouble(
                words(Files.readString(PROC.resolve("uptime"))).get(0));
    }

    /** Whether SIGSTOP has stopped it. */
    public static boolean isStopped(long pid) throws IOException {
        return stat(Files.readString(file(pid, "stat"))).get(STATE).equals("T");
    }

    /** The fields of /proc/PID/stat from the third on. The name before them may hold spaces and parentheses. */
    static List<String> stat(String content) {
        return words(content.substring(content.lastIndexOf(')') + 1).strip());
    }

    /** The Java processes with this main class and a path below this directory in their arguments, options included. */
    public static List<Long> running(String mainClass, Path below) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> {
                    List<String> command = strings(pid, "cmdline");
                    return command.size() > 1
                            && command.get(0).endsWith("/java")
                            && command.contains(mainClass)
                            && command.stream().anyMatch(word -> word.contains(below + "/"));
                })
                .toList();
    }

    /** The processes that run this script, with a variable in their environment that is a path below this directory. */
    public static List<Long> runningScript(String script, String variable, Path below) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> strings(pid, "cmdline").stream().limit(2).anyMatch(word -> word.endsWith(script)))
                .filter(pid -> strings(pid, "environ").stream()
                        .anyMatch(word -> word.startsWith(variable + "=" + below + "/")))
                .toList();
    }

    private static List<String> strings(long pid, String name) {
        try {
            return List.of(new String(Files.readAllBytes(file(pid, name)), StandardCharsets.UTF_8).split("\0", -1));
        } catch (IOException e) {
            return List.of(); // the process has ended, or is another user's
        }
    }

    /** Resident memory, in bytes. */
    public static long residentBytes(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(file(pid, "status"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .sum();
        }
    }

    /**
     * Resident memory in bytes, where a page that is mapped several times counts once: ZGC of JDK 17 maps its heap
     * three times. Of what processes share, each has its part.
     */
    public static long proportionalBytes(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(file(pid, "smaps_rollup"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("Pss:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .sum();
        }
    }

    private static Path file(long pid, String name) {
        return PROC.resolve(Long.toString(pid)).resolve(name);
    }

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+", -1));
    }
}
