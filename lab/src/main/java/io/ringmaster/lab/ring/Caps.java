package io.ringmaster.lab.ring;

import io.ringmaster.host.CgroupMounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * The control groups of one node, of version 1 or 2. Limits are changed while it runs. A process enters before it
 * becomes the node's program, so that nothing of the node is outside.
 */
public final class Caps implements AutoCloseable {
    private static final double NANOSECONDS = 1e9;
    private static final double MICROSECONDS = 1e6;
    private static final long PAUSE_NS = 50_000_000;

    private final Path cpu;
    private final Path memory;
    private final boolean first;
    private final String memoryFile;

    private Caps(CgroupMounts mounts, String name) throws IOException {
        cpu = mounts.parent("cpu").resolve(name);
        memory = mounts.parent("memory").resolve(name);
        first = mounts.v1().containsKey("cpu");
        memoryFile = mounts.v1().containsKey("memory") ? "memory.limit_in_bytes" : "memory.max";
    }

    /**
     * Makes the groups.
     *
     * @param name of the groups; what a former run left under it is used again
     * @throws IOException this user may not, or there are no control groups; nothing is left
     */
    static Caps create(CgroupMounts mounts, String name, CapLimits limits) throws IOException {
        var caps = new Caps(mounts, name);
        try {
            for (Path group : caps.groups()) {
                Files.createDirectories(group);
            }
            caps.set(limits);
            return caps;
        } catch (IOException e) {
            caps.close();
            throw e;
        }
    }

    private Set<Path> groups() {
        return new LinkedHashSet<>(List.of(cpu, memory));
    }

    /** Changes the limits, also of a running node. */
    public void set(CapLimits limits) throws IOException {
        if (first) {
            // a quota of the former period could be one that the kernel refuses with the new one
            write(cpu.resolve("cpu.cfs_quota_us"), "-1");
            write(cpu.resolve("cpu.cfs_period_us"), Long.toString(limits.periodUs()));
            write(cpu.resolve("cpu.cfs_quota_us"), Long.toString(limits.quotaUs()));
        } else {
            write(cpu.resolve("cpu.max"), limits.quotaUs() + " " + limits.periodUs());
        }
        write(memory.resolve(memoryFile), Long.toString(limits.memoryBytes()));
    }

    /** Lifts the limit of processor time, for example while code compiles. */
    public void liftCpu() throws IOException {
        write(cpu.resolve(first ? "cpu.cfs_quota_us" : "cpu.max"), first ? "-1" : "max");
    }

    /** Time that its threads waited for the next period, in seconds, of all threads together. */
    public double throttledSeconds() throws IOException {
        String field = first ? "throttled_time " : "throttled_usec ";
        for (String line : Files.readAllLines(cpu.resolve("cpu.stat"))) {
            if (line.startsWith(field)) {
                return Long.parseLong(line.substring(field.length()).strip()) / (first ? NANOSECONDS : MICROSECONDS);
            }
        }
        throw new IOException(cpu.resolve("cpu.stat") + " has no " + field.strip());
    }

    /** The command that enters the groups and then becomes the given one, with the same process id. */
    List<String> entering(List<String> command) {
        String enter = groups().stream()
                .map(group -> "echo $$ >'" + group.resolve("cgroup.procs") + "'")
                .collect(Collectors.joining(" && "));
        List<String> all = new ArrayList<>(List.of("sh", "-c", enter + " && exec \"$@\"", "sh"));
        all.addAll(command);
        return all;
    }

    private static void write(Path file, String value) throws IOException {
        try {
            Files.writeString(file, value);
        } catch (IOException e) {
            throw new IOException("cannot write " + value + " to " + file + ": " + e.getMessage(), e);
        }
    }

    /** Removes the groups; their processes must have ended. */
    @Override
    public void close() throws IOException {
        for (Path group : groups()) {
            remove(group);
        }
    }

    /** The kernel needs a moment after the last process has ended. */
    private static void remove(Path group) throws IOException {
        for (int left = 20; ; left--) {
            try {
                Files.deleteIfExists(group);
                return;
            } catch (IOException e) {
                if (left == 0) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }
}
