package io.ringmaster.playground;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Removes the control groups that the local pools of a playground made, also those of a start that was broken off. The
 * pool's class {@code LocalPool} names them {@code ringmaster-<hash of the allocations folder>-<allocation>}.
 */
final class CgroupSweep {
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    private static final int DEPTH = 8;
    /** The kernel lets a group go some time after its last process has ended. */
    private static final Duration LEAVING = Duration.ofSeconds(5);

    private static final Duration POLL = Duration.ofMillis(50);

    private CgroupSweep() {}

    /** Name prefix of one pool's groups. */
    static String prefix(Path serverDirectory) {
        return "ringmaster-"
                + Integer.toHexString(
                        serverDirectory.resolve("allocations").toString().hashCode()) + "-";
    }

    /** Once the processes in them have ended: a group with members cannot be removed and stays. */
    static void remove(List<Path> serverDirectories) throws InterruptedException {
        List<String> prefixes =
                serverDirectories.stream().map(CgroupSweep::prefix).toList();
        if (prefixes.isEmpty() || !Files.isDirectory(MOUNT)) {
            return;
        }
        long deadline = System.nanoTime() + LEAVING.toNanos();
        while (!removeNow(prefixes) && System.nanoTime() < deadline) {
            Thread.sleep(POLL.toMillis());
        }
    }

    /** @return whether none is left */
    private static boolean removeNow(List<String> prefixes) {
        try (Stream<Path> groups = Files.find(MOUNT, DEPTH, (p, a) -> a.isDirectory() && begins(p, prefixes))) {
            return groups.sorted(Comparator.comparingInt(Path::getNameCount).reversed())
                    .map(CgroupSweep::removeOne)
                    .reduce(true, Boolean::logicalAnd);
        } catch (UncheckedIOException | IOException e) {
            return false; // one vanished while they were listed
        }
    }

    private static boolean begins(Path group, List<String> prefixes) {
        return prefixes.stream().anyMatch(group.getFileName().toString()::startsWith);
    }

    private static boolean removeOne(Path group) {
        try {
            Files.deleteIfExists(group);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
