package io.ringmaster.simulator.repository;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.simulator.history.SeededRandom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The volume of a node, with a few small sstables as Cassandra has them. */
final class SimVolume {
    private static final String TABLE_ID = "5a1c395eb41f11e59f22ba0be0483c18";
    private static final String TABLE = "trips/place-" + TABLE_ID;
    /** So few that nodes and backups often have equal files, also ones that were gone in between. */
    private static final int DIFFERENT_FILES = 5;

    private static final int MOST_SSTABLES = 3;

    final NodeId node;
    final Path directory;
    final String hostId;
    /** The bytes of each sstable's data by its name. */
    private final Map<String, byte[]> sstables = new TreeMap<>();

    private int generation;

    /** @param number of the volume in this run */
    SimVolume(NodeId node, Path directory, int number) {
        this.node = node;
        this.directory = directory.resolve("volume-" + number);
        this.hostId = String.format("00000000-0000-0000-0000-%012d", number);
    }

    NodeName name() {
        return NodeName.of(node);
    }

    void streamFrom(SimVolume former) {
        former.sstables.values().forEach(this::write);
    }

    /** A compaction, a flush, or both. */
    void change(SeededRandom random) {
        List<String> names = List.copyOf(sstables.keySet());
        if (names.size() >= MOST_SSTABLES || (!names.isEmpty() && random.chance(0.5))) {
            String gone = random.pick(names);
            sstables.remove(gone);
            delete(directory.resolve("data").resolve(TABLE).resolve(gone + "-Data.db"));
        }
        if (sstables.isEmpty() || random.chance(0.7)) {
            write(content(random.between(1, DIFFERENT_FILES)));
        }
    }

    private static byte[] content(int number) {
        return ("row " + number + "\n").repeat(10 + number).getBytes(StandardCharsets.UTF_8);
    }

    private void write(byte[] bytes) {
        String name = "nb-" + ++generation + "-big";
        sstables.put(name, bytes);
        try {
            Path table = Files.createDirectories(directory.resolve("data").resolve(TABLE));
            Files.write(table.resolve(name + "-Data.db"), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Map<String, Object> member() {
        return Map.of(
                "host_id", hostId, "datacenter", "dc1", "rack", "r1", "tokens", List.of(String.valueOf(node.index())));
    }

    /**
     * Takes a snapshot as Cassandra and its companion do.
     *
     * @return the files by their paths
     */
    Map<String, byte[]> takeSnapshot(BackupId backup, Instant now, List<Map<String, Object>> ring) {
        Map<String, byte[]> files = new HashMap<>();
        try {
            Path table = directory.resolve("data").resolve(TABLE);
            Path snapshot = Files.createDirectories(table.resolve("snapshots").resolve("ringmaster-" + backup));
            for (Map.Entry<String, byte[]> sstable : sstables.entrySet()) {
                String name = sstable.getKey() + "-Data.db";
                Files.createLink(snapshot.resolve(name), table.resolve(name));
                files.put(TABLE + "/" + name, sstable.getValue());
            }
            Path info = Files.createDirectories(directory.resolve("backup").resolve(backup.value()));
            Files.write(info.resolve("snapshot.json"), Json.bytes(info(backup, now, ring)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private Map<String, Object> info(BackupId backup, Instant now, List<Map<String, Object>> ring) {
        List<Object> prefixes = new ArrayList<>();
        sstables.keySet()
                .forEach(prefix -> prefixes.add(Map.of(
                        "prefix", prefix, "level", 0, "rows", 1, "first", "1", "last", "2", "min_ts", 0, "max_ts", 0)));
        Map<String, Object> table = Map.of(
                "keyspace", "trips", "table", "place", "id", TABLE_ID, "engine", "sstable", "sstables", prefixes);
        Map<String, Object> statement =
                Map.of("keyspace", "trips", "type", "table", "name", "place", "statement", "CREATE TABLE trips.place");
        Map<String, Object> info = new HashMap<>();
        info.put("backup", backup.value());
        info.put("host_id", hostId);
        info.put("cassandra", "5.0.9");
        info.put("from", now.toString());
        info.put("to", now.toString());
        info.put("schema_version", "v1");
        info.put("ring", ring);
        info.put("tables", List.of(table));
        info.put("schema", List.of(statement));
        return info;
    }
}
