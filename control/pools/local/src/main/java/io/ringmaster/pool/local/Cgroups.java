package io.ringmaster.pool.local;

import io.ringmaster.host.CgroupMounts;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.spec.NodeResources;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One cgroup per allocation, of version 1 or 2. Limits that this user may not set become a warning. */
final class Cgroups {
    private static final Logger LOG = LoggerFactory.getLogger(Cgroups.class);
    private static final List<String> CONTROLLERS = List.of("cpu", "memory", "pids");
    private static final int PERIOD_US = 100_000;
    /** Threads count too; Cassandra under load has several hundred. */
    private static final int PIDS_MAX = 4_096;

    private final CgroupMounts mounts;
    private final String prefix;

    /** @param prefix of the names, see {@link io.ringmaster.host.CgroupNames} */
    Cgroups(CgroupMounts mounts, String prefix) {
        this.mounts = mounts;
        this.prefix = prefix;
    }

    /**
     * @param directories the cgroups that the processes have to enter
     * @param warning the limits that are not in force, with the cause, or null
     */
    record Limits(List<Path> directories, @Nullable String warning) {}

    /** Creates the cgroups of an allocation, or changes the limits of existing ones. */
    Limits limit(AllocationId id, NodeResources resources) {
        Set<Path> directories = new LinkedHashSet<>();
        Map<String, List<String>> refused = new LinkedHashMap<>();
        for (String controller : CONTROLLERS) {
            try {
                Path directory =
                        Files.createDirectories(mounts.parent(controller).resolve(prefix + id));
                write(directory, controller, mounts.v1().containsKey(controller), resources);
                directories.add(directory);
            } catch (IOException e) {
                refused.computeIfAbsent(reason(e), r -> new ArrayList<>()).add(controller);
            }
        }
        List<String> parts = new ArrayList<>();
        refused.forEach((reason, controllers) -> parts.add(String.join(", ", controllers) + " (" + reason + ")"));
        String warning = parts.isEmpty() ? null : "limits not in force: " + String.join("; ", parts);
        return new Limits(List.copyOf(directories), warning);
    }

    private static void write(Path directory, String controller, boolean first, NodeResources resources)
            throws IOException {
        long quotaUs = Math.max(1_000L, resources.cpuMillis() * (long) PERIOD_US / 1_000);
        switch (controller) {
            case "cpu" -> {
                if (first) {
                    Files.writeString(directory.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_US));
                    Files.writeString(directory.resolve("cpu.cfs_quota_us"), Long.toString(quotaUs));
                } else {
                    Files.writeString(directory.resolve("cpu.max"), quotaUs + " " + PERIOD_US);
                }
            }
            case "memory" ->
                Files.writeString(
                        directory.resolve(first ? "memory.limit_in_bytes" : "memory.max"),
                        Long.toString(resources.memoryBytes()));
            default -> Files.writeString(directory.resolve("pids.max"), Integer.toString(PIDS_MAX));
        }
    }

    private static String reason(IOException e) {
        return e instanceof FileSystemException f
                ? f.getFile() + ": " + (f.getReason() == null ? f.getClass().getSimpleName() : f.getReason())
                : ThrowableText.of(e);
    }

    /** The processes in these cgroups. */
    static Set<Long> processes(List<Path> directories) {
        Set<Long> pids = new TreeSet<>();
        for (Path directory : directories) {
            try {
                Files.readAllLines(directory.resolve("cgroup.procs"))
                        .forEach(line -> pids.add(Long.parseLong(line.trim())));
            } catch (IOException e) {
                LOG.debug("{} is gone", directory);
            }
        }
        return pids;
    }

    /** Removes cgroups without processes. */
    static void remove(List<Path> directories) {
        for (Path directory : directories) {
            try {
                Files.deleteIfExists(directory);
            } catch (IOException e) {
                LOG.warn("cgroup {} cannot be removed: {}", directory, ThrowableText.of(e));
            }
        }
    }

    /** Removes cgroups with this prefix that belong to none of the given allocations. */
    void removeLeftovers(Set<String> kept) {
        Set<Path> parents = new LinkedHashSet<>(mounts.v1().values());
        mounts.v2().ifPresent(v2 -> parents.add(v2.own()));
        for (Path parent : parents) {
            try (Stream<Path> entries = Files.list(parent)) {
                remove(entries.filter(p -> p.getFileName().toString().startsWith(prefix))
                        .filter(p -> !kept.contains(p.getFileName().toString().substring(prefix.length())))
                        .toList());
            } catch (IOException e) {
                LOG.debug("{} cannot be listed: {}", parent, ThrowableText.of(e));
            }
        }
    }
}
