package io.ringmaster.transfer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The processor time that a process has used, from {@code /proc}: the management beans take 0.1 s to start. */
final class ProcessorTime {
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int USER = 11;
    private static final int SYSTEM = 12;

    private ProcessorTime() {}

    /** In user and kernel, by all threads of this process, in nanoseconds; 0 where there is no {@code /proc}. */
    static long ofThisProcess() {
        try {
            return of(Files.readString(Path.of("/proc/self/stat")));
        } catch (IOException e) {
            return 0;
        }
    }

    /** @param stat the text of {@code /proc/PID/stat}; the name of the program in it may hold blanks and brackets */
    static long of(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) * TICK_NS;
    }
}
