package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.TableEntry;
import io.ringmaster.backup.slice.FileIdentity;
import io.ringmaster.host.FileTree;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The hard links of a snapshot, below the data directory of a node. */
final class SnapshotTree {
    /** Made with the snapshot; the repository has the same from {@code snapshot.json}. */
    private static final Set<String> NOT_DATA = Set.of("manifest.json", "schema.cql");

    private static final Pattern SSTABLE = Pattern.compile("([a-z]{2}-[^-]+-[a-z]+)-.+");
    private static final int COMPACTED_AWAY = 1;

    /**
     * A file of a snapshot.
     *
     * @param table the directory of its table below the data directory
     * @param name within the snapshot
     * @param links of the file, this one included
     */
    record Link(Path path, String table, String name, FileIdentity key, int links) {
        long size() {
            return key.size();
        }

        /** The file as it is now: an index that is built changes TOC.txt, which the snapshot has as a link. */
        Link now() throws IOException {
            FileIdentity.Linked linked = FileIdentity.of(path);
            return new Link(path, table, name, linked.key(), linked.links());
        }
    }

    private final Path data;
    private final String tag;
    private final List<TableEntry> tables;

    SnapshotTree(Path volume, BackupId backup, List<TableEntry> tables) {
        this.data = volume.resolve("data");
        this.tag = "ringmaster-" + backup;
        this.tables = tables;
    }

    /**
     * The files, those of one sstable together. First come those that Cassandra has compacted away, because only this
     * snapshot still keeps their room.
     *
     * @param isStored of a path below the data directory: the link of such a file is deleted
     */
    List<List<Link>> groups(Predicate<String> isStored) throws IOException {
        List<List<Link>> groups = new ArrayList<>();
        for (TableEntry table : tables) {
            groups.addAll(groups(table, isStored));
        }
        groups.sort(Comparator.comparing(group -> group.stream().allMatch(file -> file.links() > COMPACTED_AWAY)));
        return groups;
    }

    /** The paths of all files below the data directory. */
    List<String> paths() throws IOException {
        return groups(path -> false).stream()
                .flatMap(List::stream)
                .map(file -> file.table() + "/" + file.name())
                .toList();
    }

    private List<List<Link>> groups(TableEntry table, Predicate<String> isStored) throws IOException {
        Map<String, List<Link>> groups = new TreeMap<>();
        Path root = snapshot(table);
        if (!Files.isDirectory(root)) {
            return List.of(); // its files were sent before, or NodeManifestWriter finds that they are missing
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                // legacy indexes are built from their tables
                return directory.getFileName().toString().startsWith(".")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = root.relativize(file).toString();
                if (isStored.test(table.directory() + "/" + name)) {
                    Files.delete(file);
                } else if (!NOT_DATA.contains(name)) {
                    FileIdentity.Linked linked = FileIdentity.of(file);
                    groups.computeIfAbsent(group(name), n -> new ArrayList<>())
                            .add(new Link(file, table.directory(), name, linked.key(), linked.links()));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        groups.values().forEach(group -> group.sort(Comparator.comparing(Link::name)));
        return List.copyOf(groups.values());
    }

    private static String group(String name) {
        Matcher m = SSTABLE.matcher(name);
        return m.matches() ? m.group(1) : name;
    }

    /** Deletes what is left of the snapshot. */
    void delete() throws IOException {
        for (TableEntry table : tables) {
            FileTree.delete(snapshot(table));
        }
    }

    private Path snapshot(TableEntry table) {
        return data.resolve(table.directory()).resolve("snapshots").resolve(tag);
    }
}
