package io.ringmaster.playground;

import io.ringmaster.host.CgroupNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes the cgroups that the local pools of a playground made, also those of an interrupted start. */
final class CgroupSweep {
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    private static final int DEPTH = 8;
    /** The kernel releases a group some time after its last process has ended. */
    private static final Duration LEAVING = Duration.ofSeconds(5);

    private static final Duration POLL = Duration.ofMillis(50);

    private CgroupSweep() {}

    /** Call after the processes have ended: a group with members cannot be removed and stays. */
    static void remove(List<Path> serverDirectories) throws IOException, InterruptedException {
        List<String> prefixes = new ArrayList<>();
        for (Path directory : serverDirectories) {
            prefixes.add(CgroupNames.prefix(directory));
        }
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
