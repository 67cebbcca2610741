package io.ringmaster.transfer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads how often the kernel stopped the processes of this node because they had used up their processor time: {@code
 * nr_throttled} in {@code cpu.stat} of their cgroup, of version 1 or 2.
 */
final class Throttling {
    private static final String STAT = "cpu.stat";
    private static final String COUNTER = "nr_throttled ";

    private final Optional<Path> stat;

    private Throttling(Optional<Path> stat) {
        this.stat = stat;
    }

    /** That of this process. */
    static Throttling ofThisProcess() {
        return of(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
    }

    /**
     * @param own the cgroups of a process, as in {@code /proc/self/cgroup}
     * @param mount where cgroups are mounted
     */
    static Throttling of(Path own, Path mount) {
        try {
            return new Throttling(Files.readAllLines(own).stream()
                    .flatMap(line -> candidates(line, mount).stream())
                    .filter(Files::isReadable)
                    .findFirst());
        } catch (IOException e) {
            return new Throttling(Optional.empty());
        }
    }

    /** A line is {@code 4:cpu,cpuacct:/path}, or {@code 0::/path} in version 2. Containers may not see the path. */
    private static List<Path> candidates(String line, Path mount) {
        String[] parts = line.split(":", 3);
        List<Path> found = new ArrayList<>();
        if (parts.length == 3 && Arrays.asList(parts[1].split(",", -1)).contains("cpu")) {
            for (String hierarchy : List.of(parts[1], "cpu")) {
                found.add(
                        mount.resolve(hierarchy).resolve(parts[2].substring(1)).resolve(STAT));
                found.add(mount.resolve(hierarchy).resolve(STAT));
            }
        } else if (parts.length == 3 && parts[1].isEmpty()) {
            found.add(mount.resolve(parts[2].substring(1)).resolve(STAT));
            found.add(mount.resolve(STAT));
        }
        return found;
    }

    /** The number of periods in which processes were stopped; 0 where no cgroup limits them. */
    long periods() {
        try {
            return stat.isEmpty()
                    ? 0
                    : Files.readAllLines(stat.get(), StandardCharsets.US_ASCII).stream()
                            .filter(line -> line.startsWith(COUNTER))
                            .mapToLong(line -> Long.parseLong(
                                    line.substring(COUNTER.length()).strip()))
                            .findFirst()
                            .orElse(0);
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }
}
