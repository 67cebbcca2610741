package io.ringmaster.cli.playground;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Removes the control groups that the local pools of a playground made, also those of a start that was broken off. The pool's class
 * {@code LocalPool} names them {@code ringmaster-<hash of the allocations folder>-<allocation>}.
 */
final class CgroupSweep {
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    private static final int DEPTH = 8;

    private CgroupSweep() {}

    /** What the names of one pool's groups begin with. */
    static String prefix(Path serverDirectory) {
        return "ringmaster-"
                + Integer.toHexString(
                        serverDirectory.resolve("allocations").toString().hashCode()) + "-";
    }

    /** Once the processes in them have ended: a group with members cannot be removed and stays. */
    static void remove(List<Path> serverDirectories) {
        List<String> prefixes =
                serverDirectories.stream().map(CgroupSweep::prefix).toList();
        if (prefixes.isEmpty() || !Files.isDirectory(MOUNT)) {
            return;
        }
        try (Stream<Path> groups = Files.find(MOUNT, DEPTH, (p, a) -> a.isDirectory() && begins(p, prefixes))) {
            groups.sorted(Comparator.comparingInt(Path::getNameCount).reversed())
                    .forEach(CgroupSweep::removeOne);
        } catch (UncheckedIOException | IOException e) {
            // a group that vanished while it was listed was removed by its server
        }
    }

    private static boolean begins(Path group, List<String> prefixes) {
        return prefixes.stream().anyMatch(group.getFileName().toString()::startsWith);
    }

    private static void removeOne(Path group) {
        try {
            Files.deleteIfExists(group);
        } catch (IOException e) {
            // somebody put a process of his own in: then it is not ours alone
        }
    }
}
