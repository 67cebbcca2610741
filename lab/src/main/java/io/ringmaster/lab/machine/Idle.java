package io.ringmaster.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Time that the processors of this computer spent idle, from the first line of /proc/stat. A figure is taken between
 * two readings.
 *
 * @param idle ticks of all processors without work, waiting for a disk included
 * @param total ticks of all processors
 */
public record Idle(long idle, long total) {
    private static final long MOMENT_MS = 3_000;
    private static final int IDLE = 3;
    private static final int WAITING = 4;
    /** user, nice, system, idle, iowait, irq, softirq, steal; guest time is part of user time. */
    private static final int FIELDS = 8;

    public static Idle read() throws IOException {
        return parse(Files.readString(Path.of("/proc/stat")));
    }

    static Idle parse(String stat) {
        String[] words = stat.lines().findFirst().orElse("").split("\\s+", -1);
        if (!words[0].equals("cpu") || words.length <= FIELDS) {
            throw new IllegalArgumentException("/proc/stat starts with another line: " + String.join(" ", words));
        }
        long[] ticks =
                Arrays.stream(words, 1, FIELDS + 1).mapToLong(Long::parseLong).toArray();
        return new Idle(ticks[IDLE] + ticks[WAITING], Arrays.stream(ticks).sum());
    }

    /**
     * Cores at work in the next three seconds. Not the load average, which remembers for minutes what has ended.
     */
    public static double coresAtWork() throws IOException, InterruptedException {
        Idle before = read();
        Thread.sleep(MOMENT_MS);
        return Runtime.getRuntime().availableProcessors() - read().coresSince(before);
    }

    /** Idle processors in the time since an earlier reading: 2 for two processors without work. */
    public double coresSince(Idle earlier) {
        return shareSince(earlier) * Runtime.getRuntime().availableProcessors();
    }

    /** Idle part of all processors since an earlier reading, from 0 to 1; 0 where no tick lies between. */
    public double shareSince(Idle earlier) {
        return total <= earlier.total ? 0 : Math.max(0, idle - earlier.idle) / (double) (total - earlier.total);
    }
}
