package io.ringmaster.pool.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The place of this process in the cgroup hierarchies: version 1 has one hierarchy per controller, version 2 one for
 * all controllers, and a hybrid system has both.
 *
 * @param v1 this process's own directory, by controller
 * @param v2 the mount point and this process's own directory, if version 2 is mounted
 */
record CgroupMounts(Map<String, Path> v1, Optional<Unified> v2) {

    /** The unified hierarchy. */
    record Unified(Path mount, Path own) {}

    static CgroupMounts ofThisProcess() {
        try {
            return parse(
                    Files.readAllLines(Path.of("/proc/self/mountinfo")),
                    Files.readAllLines(Path.of("/proc/self/cgroup")));
        } catch (IOException e) {
            return new CgroupMounts(Map.of(), Optional.empty());
        }
    }

    /**
     * See cgroups(7) and proc(5): {@code 32 31 0:29 /root /mount/point rw - cgroup cgroup rw,cpu} and
     * {@code 1:cpu:/own}.
     */
    static CgroupMounts parse(List<String> mountInfo, List<String> memberships) {
        Map<String, Path> own = new HashMap<>();
        Map<String, String> paths = new HashMap<>();
        for (String membership : memberships) {
            String[] parts = membership.split(":", 3);
            Arrays.stream(parts[1].split(",", -1)).forEach(controller -> paths.put(controller, parts[2]));
        }
        Optional<Unified> unified = Optional.empty();
        for (String line : mountInfo) {
            String[] halves = line.split(" - ", 2);
            String[] left = halves[0].split(" ", -1);
            String[] right = halves[1].split(" ", -1);
            Path mount = Path.of(left[4]);
            if (right[0].equals("cgroup2") && paths.containsKey("")) {
                unified = Optional.of(new Unified(mount, below(mount, left[3], paths.get(""))));
            } else if (right[0].equals("cgroup")) {
                for (String option : right[2].split(",", -1)) {
                    if (paths.containsKey(option)) {
                        own.putIfAbsent(option, below(mount, left[3], paths.get(option)));
                    }
                }
            }
        }
        return new CgroupMounts(Map.copyOf(own), unified);
    }

    /** In a container a mount shows only a part of the hierarchy. */
    private static Path below(Path mount, String mountRoot, String path) {
        String inside = path.startsWith(mountRoot) ? path.substring(mountRoot.length()) : path;
        return mount.resolve(inside.replaceFirst("^/+", "")).normalize();
    }
}
