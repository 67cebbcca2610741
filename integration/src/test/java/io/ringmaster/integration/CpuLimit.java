package io.ringmaster.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel holds a process to. */
final class CpuLimit {
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    private static final int PERIOD_US = 100_000;

    private CpuLimit() {}

    /** Thousandths of a core; the process must be in a control group with a limit. */
    static long millis(ProcessHandle process) {
        try {
            Path directory = directory(Files.readAllLines(Path.of("/proc/" + process.pid() + "/cgroup")));
            Path first = directory.resolve("cpu.cfs_quota_us");
            String quota = Files.exists(first)
                    ? Files.readString(first).strip()
                    : Files.readString(directory.resolve("cpu.max")).split(" ", -1)[0];
            return Long.parseLong(quota) * 1000 / PERIOD_US;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * @param lines such as {@code 4:cpu,cpuacct:/a} of the first version of control groups, or {@code 0::/a} of the
     *     second
     */
    private static Path directory(List<String> lines) {
        for (String line : lines) {
            String[] parts = line.split(":", 3);
            if (List.of(parts[1].split(",", -1)).contains("cpu")) {
                return MOUNT.resolve(parts[1]).resolve(parts[2].substring(1));
            }
        }
        String unified =
                lines.stream().filter(l -> l.startsWith("0::")).findFirst().orElseThrow();
        return MOUNT.resolve(unified.substring("0::/".length()));
    }
}
