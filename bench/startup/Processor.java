import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processor time, start time and memory of processes, from /proc. */
final class Processor {
    private static final double TICKS_PER_SECOND = 100;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int START = 19;

    private Processor() {}

    /** Returns the user and system time of a process in seconds. */
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

    /** Returns the time of the fork in seconds since the boot of the machine, like {@link #uptimeSeconds}. */
    static double startedAt(long pid) throws IOException {
        return Long.parseLong(stat(pid)[START]) / TICKS_PER_SECOND;
    }

    static double uptimeSeconds() throws IOException {
        return Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ")[0]);
    }

    /** Returns the fields of /proc/pid/stat from the third of proc(5) on, which has index 0 here. */
    private static String[] stat(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    /** Returns the Java processes with the given main class and a path below the given directory in their arguments. */
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
            return List.of(); // the process has ended
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
