package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.NodeTask.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The volume of a node, with files as Cassandra has them. */
final class TestNode {
    static final String TABLE_ID = "5a1c395e-b41f-11e5-9f22-ba0be0483c18";
    static final String TABLE = "trips/place-5a1c395eb41f11e59f22ba0be0483c18";
    static final String ENGINE_TABLE = "trips/driver-0a1c395eb41f11e59f22ba0be0483c18";
    static final RepositoryKeys KEYS = new RepositoryKeys(new ClusterName("rides"), "dc1-1-00ff");

    final NodeId id;
    final Path volume;
    final String hostId;
    final List<String> prefixes = new ArrayList<>();
    /** The ring as this node sees it; the nodes of the cluster by default. */
    List<Map<String, Object>> ring = new ArrayList<>();

    String schemaVersion = "v1";
    String from = "2026-11-24T04:00:00Z";
    String to = "2026-11-24T04:00:01Z";
    /** The clock of its machine. */
    Instant now = MemoryStore.START;

    TestNode(Path directory, int index) {
        id = NodeId.of("rides/dc1/node-" + index);
        volume = directory.resolve("node-" + index);
        hostId = "00000000-0000-0000-0000-00000000000" + index;
    }

    static List<TestNode> cluster(Path directory, int size) {
        List<TestNode> nodes = Stream.iterate(0, i -> i + 1)
                .limit(size)
                .map(i -> new TestNode(directory, i))
                .toList();
        List<Map<String, Object>> ring = nodes.stream().map(TestNode::member).toList();
        nodes.forEach(node -> node.ring = new ArrayList<>(ring));
        return nodes;
    }

    private Map<String, Object> member() {
        return member(hostId, String.valueOf(id.index() * 100));
    }

    static Map<String, Object> member(String hostId, String token) {
        return Map.of("host_id", hostId, "datacenter", "dc1", "rack", "r1", "tokens", List.of(token, "7" + token));
    }

    /** Writes an sstable of small components and of a data file with {@code size} bytes. */
    void sstable(int generation, int size) {
        String prefix = "nb-" + generation + "-big";
        prefixes.add(prefix);
        write(TABLE + "/" + prefix + "-Data.db", size);
        write(TABLE + "/" + prefix + "-Statistics.db", 4000 + generation);
        write(TABLE + "/" + prefix + "-Filter.db", 100);
        write(TABLE + "/" + prefix + "-SAI+aa+by_city+Meta.db", 60);
        write(TABLE + "/" + prefix + "-Empty.db", 0);
    }

    /** Writes a file of the table that RocksDB keeps, into each snapshot. */
    void engineFile(String name, int size) {
        write(ENGINE_TABLE + "/" + name, size);
    }

    private void write(String path, int size) {
        byte[] bytes = new byte[size];
        new Random(31L * path.hashCode() + size + 7L * id.index()).nextBytes(bytes);
        try {
            Path file = volume.resolve("data").resolve(path);
            Files.createDirectories(file.getParent());
            Files.deleteIfExists(file);
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The files that a backup has, by their paths. */
    Map<String, byte[]> files() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        Path data = volume.resolve("data");
        try (Stream<Path> all = Files.walk(data)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String path = data.relativize(file).toString();
                if (!path.contains("/snapshots/")) {
                    files.put(path.replace(ENGINE_TABLE, ENGINE_TABLE + "/rocksdb"), Files.readAllBytes(file));
                }
            }
        }
        return files;
    }

    Path snapshot(String table, BackupId backup) {
        return volume.resolve("data").resolve(table).resolve("snapshots").resolve("ringmaster-" + backup);
    }

    /** Takes a snapshot as Cassandra and its companion do. */
    void takeSnapshot(BackupId backup) throws IOException {
        Files.createDirectories(snapshot(TABLE, backup));
        Files.writeString(snapshot(TABLE, backup).resolve("manifest.json"), "{}");
        Path index = Files.createDirectories(snapshot(TABLE, backup).resolve(".by_name"));
        Files.writeString(index.resolve("nb-1-big-Data.db"), "a legacy index");
        for (Map.Entry<String, byte[]> file : files().entrySet()) {
            boolean engine = file.getKey().startsWith(ENGINE_TABLE);
            String table = engine ? ENGINE_TABLE : TABLE;
            Path link = snapshot(table, backup).resolve(file.getKey().substring(table.length() + 1));
            Files.createDirectories(link.getParent());
            Files.createLink(link, volume.resolve("data").resolve(file.getKey().replace("/rocksdb/", "/")));
        }
        Path info = Files.createDirectories(volume.resolve("backup").resolve(backup.value()));
        Files.write(info.resolve("snapshot.json"), Json.bytes(snapshotInfo(backup)));
    }

    private Map<String, Object> snapshotInfo(BackupId backup) {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("backup", backup.value());
        info.put("host_id", hostId);
        info.put("tokens", List.of("1"));
        info.put("cassandra", "5.0.9");
        info.put("from", from);
        info.put("to", to);
        info.put("schema_version", schemaVersion);
        info.put("ring", ring);
        info.put(
                "tables",
                List.of(
                        Map.of(
                                "keyspace", "trips",
                                "table", "place",
                                "id", TABLE_ID,
                                "engine", "sstable",
                                "sstables",
                                        prefixes.stream()
                                                .map(TestNode::sstableInfo)
                                                .toList()),
                        Map.of(
                                "keyspace",
                                "trips",
                                "table",
                                "driver",
                                "id",
                                TABLE_ID.replace("5a1c", "0a1c"),
                                "engine",
                                "rocksdb",
                                "checkpoint",
                                Files.exists(volume.resolve("data").resolve(ENGINE_TABLE)),
                                "sstables",
                                List.of())));
        info.put(
                "schema",
                List.of(Map.of(
                        "keyspace", "trips", "type", "table", "name", "place", "statement", "CREATE TABLE ...")));
        return info;
    }

    private static Map<String, Object> sstableInfo(String prefix) {
        return Map.of("prefix", prefix, "level", 0, "rows", 1, "first", "-5", "last", "9", "min_ts", 0, "max_ts", 3);
    }

    TransferRequest request(Kind kind, BackupId backup, Map<String, String> more) {
        Map<String, String> arguments = new LinkedHashMap<>(
                Map.of("to", "main", "cluster", "rides", "incarnation", KEYS.incarnation(), "backup", backup.value()));
        arguments.putAll(more);
        var task = new NodeTask(kind + " of " + backup, kind, arguments);
        return new TransferRequest(
                task, id, volume.toString(), volume.resolve("locations").toString());
    }

    String upload(MemoryStore store, BackupId backup) throws IOException, InterruptedException {
        return new UploadWork(
                        request(Kind.BACKUP_UPLOAD, backup, Map.of()),
                        store,
                        new TransferProgress(),
                        new TransferMachine(TransferStreams.threads(1), System::nanoTime, () -> now))
                .run();
    }

    String commit(MemoryStore store, BackupId backup, int nodes) throws IOException, InterruptedException {
        List<String> names = Stream.iterate(0, i -> i + 1)
                .limit(nodes)
                .map(i -> "dc1.node-" + i)
                .toList();
        TransferRequest request = request(
                Kind.BACKUP_COMMIT,
                backup,
                Map.of("nodes", String.join(",", names), "datacenters", "dc1", "spec", "name: rides"));
        return new CommitWork(request, store, new TransferProgress()).run();
    }

    FetchWork fetch(MemoryStore store, BackupId backup, NodeName source, String manifest) {
        TransferRequest request =
                request(Kind.RESTORE_FETCH, backup, Map.of("source", source.toString(), "manifest", manifest));
        return new FetchWork(request, store, new TransferProgress(), TransferMachine.withThreads(1));
    }

    /** What a fetch brought, by path. */
    Map<String, byte[]> fetched(BackupId backup) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        Path root = volume.resolve("restore").resolve(backup.value());
        try (Stream<Path> all = Files.walk(root.resolve("trips"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }
}
