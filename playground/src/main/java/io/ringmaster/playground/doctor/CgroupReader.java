package io.ringmaster.playground.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads which control groups this process may create, see cgroups(7). Creates nothing. */
final class CgroupReader {
    private CgroupReader() {}

    /**
     * @param mount {@code /sys/fs/cgroup}
     * @param membership the lines of {@code /proc/self/cgroup}: {@code id:controllers:path}
     */
    static Host.Cgroups read(Path mount, List<String> membership) {
        if (Files.exists(mount.resolve("cgroup.controllers"))) {
            return unified(mount, membership);
        }
        Optional<Path> cpu = group(mount, "cpu", membership);
        Optional<Path> memory = group(mount, "memory", membership);
        if (cpu.isEmpty() && memory.isEmpty()) {
            return new Host.Cgroups(0, false, false, "no control groups are mounted in " + mount);
        }
        boolean cpuOk = cpu.filter(Files::isWritable).isPresent();
        boolean memoryOk = memory.filter(Files::isWritable).isPresent();
        String detail = cpuOk && memoryOk
                ? "below " + cpu.get() + " and " + memory.get()
                : "version 1, and " + cpu.or(() -> memory).get() + " is not writable for this user";
        return new Host.Cgroups(1, cpuOk, memoryOk, detail);
    }

    private static Host.Cgroups unified(Path mount, List<String> membership) {
        String own = membership.stream()
                .filter(l -> l.startsWith("0::/"))
                .findFirst()
                .map(l -> l.substring("0::/".length()))
                .orElse("");
        Path group = mount.resolve(own);
        if (!Files.isWritable(group) || !Files.isWritable(group.resolve("cgroup.procs"))) {
            return new Host.Cgroups(2, false, false, "version 2, and " + group + " is not delegated to this user");
        }
        List<String> offered = controllers(group);
        boolean cpu = offered.contains("cpu");
        boolean memory = offered.contains("memory");
        return new Host.Cgroups(
                2,
                cpu,
                memory,
                cpu && memory ? "below " + group : "version 2, and " + group + " offers only " + offered);
    }

    private static Optional<Path> group(Path mount, String controller, List<String> membership) {
        return membership.stream()
                .map(l -> l.split(":", 3))
                .filter(p -> p.length == 3 && Arrays.asList(p[1].split(",", -1)).contains(controller))
                .findFirst()
                .map(p -> mount.resolve(controller).resolve(p[2].replaceFirst("^/", "")))
                .filter(Files::isDirectory);
    }

    private static List<String> controllers(Path group) {
        try {
            return Arrays.asList(Files.readString(group.resolve("cgroup.controllers"))
                    .strip()
                    .split(" ", -1));
        } catch (IOException e) {
            return List.of();
        }
    }
}
