package io.ringmaster.executor.volume;

import io.ringmaster.model.node.VolumeUse;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One look at all files of a volume. Snapshots are the directories {@code data/<keyspace>/<table>/snapshots}: they come
 * first, so that a snapshot that is taken or cleared meanwhile, and a compaction that removes the live link of a file,
 * count nothing twice. A file that vanishes meanwhile is left out.
 */
final class VolumeWalk {
    private final Path volume;
    private final LinkedFiles linked = new LinkedFiles();
    private long live;
    private long snapshots;

    private VolumeWalk(Path volume) {
        this.volume = volume;
    }

    /** @throws IOException a file or directory that is there cannot be read */
    static VolumeUse measure(Path volume) throws IOException {
        Path real = volume.toRealPath();
        VolumeWalk walk = new VolumeWalk(real);
        Set<Path> snapshots = walk.snapshotDirectories();
        for (Path directory : snapshots) {
            walk.count(directory, Set.of(), true);
        }
        walk.count(real, snapshots, false);
        FileStore store = Files.getFileStore(real);
        long usable = store.getUsableSpace();
        // as df counts: blocks that are reserved for root are neither used nor usable
        long total = store.getTotalSpace() - store.getUnallocatedSpace() + usable;
        return new VolumeUse(
                walk.live + walk.snapshots + walk.linked.bytes(),
                walk.snapshots + walk.linked.snapshotBytes(),
                total,
                usable);
    }

    private Set<Path> snapshotDirectories() throws IOException {
        Set<Path> found = new HashSet<>();
        for (Path keyspace : directories(volume.resolve("data"))) {
            for (Path table : directories(keyspace)) {
                Path snapshots = table.resolve("snapshots");
                if (Files.isDirectory(snapshots, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(snapshots);
                }
            }
        }
        return found;
    }

    private static List<Path> directories(Path parent) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> directories =
                Files.newDirectoryStream(parent, d -> Files.isDirectory(d, LinkOption.NOFOLLOW_LINKS))) {
            directories.forEach(found::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of(); // Cassandra has not made it yet, or the table was dropped
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    private void count(Path root, Set<Path> without, boolean snapshot) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return without.contains(directory) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    count(file, snapshot);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                return unlessVanished(e);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) throws IOException {
                return e == null ? FileVisitResult.CONTINUE : unlessVanished(e);
            }
        });
    }

    private static FileVisitResult unlessVanished(IOException e) throws IOException {
        if (e instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw e;
    }

    private void count(Path file, boolean snapshot) throws IOException {
        Map<String, Object> attributes;
        try {
            attributes = Files.readAttributes(file, "unix:ino,nlink,size", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return;
        }
        long inode = number(attributes, "ino");
        long size = number(attributes, "size");
        if (number(attributes, "nlink") > 1 || linked.contains(inode)) {
            linked.add(inode, size, snapshot);
        } else if (snapshot) {
            snapshots += size;
        } else {
            live += size;
        }
    }

    private static long number(Map<String, Object> attributes, String name) {
        return ((Number) Objects.requireNonNull(attributes.get(name))).longValue();
    }
}
