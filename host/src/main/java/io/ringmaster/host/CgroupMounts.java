package io.ringmaster.host;

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
public record CgroupMounts(Map<String, Path> v1, Optional<Unified> v2) {

    /** The unified hierarchy. */
    public record Unified(Path mount, Path own) {}

    public static CgroupMounts ofThisProcess() {
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
    public static CgroupMounts parse(List<String> mountInfo, List<String> memberships) {
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

    /**
     * Where groups with a limit of this controller are made: with version 1 this process's own directory, with version
     * 2 its nearest ancestor that delegates the controller to its children and that this user may write to.
     *
     * @param controller such as {@code cpu} or {@code memory}
     * @throws IOException this user may limit nothing with it
     */
    public Path parent(String controller) throws IOException {
        Path own = v1.get(controller);
        if (own != null) {
            return own;
        }
        Unified unified = v2.orElseThrow(() -> new IOException("no cgroup hierarchy has this controller"));
        for (Path at = unified.own(); at != null && at.startsWith(unified.mount()); at = at.getParent()) {
            if (Files.isWritable(at) && delegates(at, controller)) {
                return at;
            }
        }
        throw new IOException("not delegated to this user below " + unified.mount());
    }

    private static boolean delegates(Path directory, String controller) {
        Path control = directory.resolve("cgroup.subtree_control");
        try {
            if (contains(control, controller)) {
                return true;
            }
            if (contains(directory.resolve("cgroup.controllers"), controller)) {
                Files.writeString(control, "+" + controller);
                return contains(control, controller);
            }
            return false;
        } catch (IOException e) {
            return false; // an ancestor may delegate it
        }
    }

    private static boolean contains(Path file, String controller) throws IOException {
        return List.of(Files.readString(file).trim().split(" ", -1)).contains(controller);
    }

    /** In a container a mount shows only a part of the hierarchy. */
    private static Path below(Path mount, String mountRoot, String path) {
        String inside = path.startsWith(mountRoot) ? path.substring(mountRoot.length()) : path;
        return mount.resolve(inside.replaceFirst("^/+", "")).normalize();
    }
}
