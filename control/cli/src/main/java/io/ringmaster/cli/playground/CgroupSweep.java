package io.ringmaster.cli.playground;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Removes the control groups that the local pool made; it notes them in each allocation's file {@code cgroups}. */
final class CgroupSweep {
    private static final int DEPTH_OF_NOTE = 4;

    private CgroupSweep() {}

    /** Those of every allocation below {@code playground}, as {@code dc1/allocations/<id>/cgroups} names them. */
    static List<Path> find(Path playground) {
        if (!Files.isDirectory(playground)) {
            return List.of();
        }
        try (Stream<Path> files =
                Files.find(playground, DEPTH_OF_NOTE, (p, a) -> a.isRegularFile() && p.endsWith("cgroups"))) {
            return files.flatMap(CgroupSweep::read).toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot read " + playground, e);
        }
    }

    private static Stream<Path> read(Path note) {
        try {
            return Files.readAllLines(note).stream()
                    .filter(l -> l.startsWith("/sys/fs/cgroup/") && l.contains("/ringmaster-"))
                    .map(Path::of);
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    /** Once their processes have ended: a group with members cannot be removed and stays. */
    static void remove(List<Path> groups) {
        for (Path group : groups) {
            try {
                Files.deleteIfExists(group);
            } catch (IOException e) {
                // somebody put a process of his own in: then it is not ours alone
            }
        }
    }
}
