import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What processes have used and when they began, from /proc. */
final class Processor {
    private static final double TICKS_PER_SECOND = 100;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int START = 19;

    private Processor() {}

    /** User and system seconds of a process so far. */
    static double seconds(long pid) throws IOException {
        String[] fields = stat(pid);
        return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) / TICKS_PER_SECOND;
    }

    static double sum(List<Long> pids) throws IOException {
        double sum = 0;
        for (long pid : pids) {
            sum += seconds(pid);
        }
        return sum;
    }

    /** When it was forked, in seconds since the machine started, as {@link #uptimeSeconds}. */
    static double startedAt(long pid) throws IOException {
        return Long.parseLong(stat(pid)[START]) / TICKS_PER_SECOND;
    }

    static double uptimeSeconds() throws IOException {
        return Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ")[0]);
    }

    /** Fields from the third of proc(5) on, which is at 0 here. */
    private static String[] stat(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    /** Java processes with that main class, and a path below that folder among their arguments. */
    static List<Long> running(String mainClass, Path below) {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    List<String> command = command(process.pid());
                    return !command.isEmpty()
                            && command.get(0).endsWith("/java")
                            && command.contains(mainClass)
                            && command.stream().anyMatch(word -> word.startsWith(below + "/"));
                })
                .map(ProcessHandle::pid)
                .toList();
    }

    private static List<String> command(long pid) {
        try {
            return List.of(Files.readString(Path.of("/proc/" + pid + "/cmdline")).split("\0"));
        } catch (IOException e) {
            return List.of(); // ended meanwhile
        }
    }

    static long residentMebibytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .sum();
    }

    static String loadAverage() throws IOException {
        return Files.readString(Path.of("/proc/loadavg")).split(" ")[0];
    }
}
