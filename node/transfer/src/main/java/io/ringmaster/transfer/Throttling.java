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
 * Reads the processor time that the processes of this node may use, and how often the kernel stopped them because they
 * had used it up: {@code cpu.stat} and its neighbours in their cgroup, of version 1 or 2.
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

    /** How many processors they may use; 0 where no cgroup limits them. */
    double processors() {
        return stat.map(file -> {
                    List<String> limit = words(file.resolveSibling("cpu.max"));
                    return limit.isEmpty()
                            ? ratio(
                                    words(file.resolveSibling("cpu.cfs_quota_us")),
                                    words(file.resolveSibling("cpu.cfs_period_us")))
                            : ratio(limit.subList(0, 1), limit.subList(1, limit.size()));
                })
                .orElse(0.0);
    }

    /** A quota is {@code max} or -1 where there is none. */
    private static double ratio(List<String> quota, List<String> period) {
        return quota.size() == 1 && period.size() == 1 && quota.get(0).matches("\\d+")
                ? Double.parseDouble(quota.get(0)) / Double.parseDouble(period.get(0))
                : 0;
    }

    private static List<String> words(Path file) {
        try {
            return List.of(Files.readString(file).strip().split("\\s+"));
        } catch (IOException e) {
            return List.of(); // of the other version
        }
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
