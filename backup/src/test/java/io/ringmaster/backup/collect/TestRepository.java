package io.ringmaster.backup.collect;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.BlobReference;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.Cut;
import io.ringmaster.backup.repository.FileEntry;
import io.ringmaster.backup.repository.FileList;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.repository.Sha256;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import io.ringmaster.backup.store.ObjectInfo;
import io.ringmaster.backup.store.StoreException;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A repository in memory, with one node; a test may act between the requests of a collection. */
final class TestRepository implements BackupStore {
    static final RepositoryKeys KEYS = new RepositoryKeys(new ClusterName("rides"), "dc1-1-00ff");
    static final NodeName NODE = NodeName.parse("dc1.node-1");
    static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

    /** What happens before the first request of this text that is still to come. */
    private record Between(String request, Runnable action) {}

    final NavigableMap<String, byte[]> objects = new TreeMap<>();
    /** Keys that lists leave out, as those of a store may that loses sight of a part of its keys. */
    Predicate<String> unlisted = key -> false;

    private final Map<String, Instant> modified = new HashMap<>();
    private final List<String> deletes = new ArrayList<>();
    private final List<Between> betweens = new ArrayList<>();

    TestRepository() {
        add(KEYS.repositoryFile(), Json.bytes(RepositoryFile.of(KEYS)));
    }

    void before(String request, Runnable action) {
        betweens.add(new Between(request, action));
    }

    void add(String key, byte[] bytes) {
        addAt(key, bytes, NOW);
    }

    void mark(String key) {
        add(key, new byte[0]);
    }

    void addAt(String key, byte[] bytes, Instant modified) {
        objects.put(key, bytes);
        this.modified.put(key, modified);
    }

    boolean has(String key) {
        return objects.containsKey(key);
    }

    /** The start of an object, a byte a character. */
    String text(String key) {
        byte[] bytes = objects.get(key);
        return new String(bytes, 0, Math.min(9, bytes.length), StandardCharsets.ISO_8859_1);
    }

    /** All keys in the order in which they were deleted. */
    List<String> deletes() {
        return deletes;
    }

    BlobName name(String text, long epoch) {
        return new BlobName(Sha256.of(text.getBytes(StandardCharsets.UTF_8)), epoch);
    }

    /** A blob with the text as its bytes. */
    BlobName blob(String text, long epoch) {
        add(KEYS.blob(name(text, epoch)), text.getBytes(StandardCharsets.UTF_8));
        return name(text, epoch);
    }

    /** A complete backup of one file. */
    void backup(BackupId id, BlobName... slices) {
        byte[] json = parts(id, slices);
        add(KEYS.manifest(id), json);
        add(KEYS.ok(id), Sha256.of(json).getBytes(StandardCharsets.US_ASCII));
    }

    /** All that a backup has before its commit; the manifest of the cluster is only returned. */
    byte[] parts(BackupId id, BlobName... slices) {
        BlobReference list = stored(list(slices), 0);
        BlobReference schema = stored(("schema of " + id).getBytes(StandardCharsets.UTF_8), 0);
        var cut = new Cut(NOW, NOW);
        byte[] node = Json.bytes(
                new NodeManifest(id, NODE, "6d1c", "5.0.9", cut, "v1", false, List.of(), 1, 1, 1, list, schema));
        add(KEYS.nodeManifest(id, NODE), node);
        var member = new ClusterManifest.Member(
                NODE, "6d1c", new RackName("r1"), List.of("1"), "5.0.9", false, 1, 1, 1, Sha256.of(node));
        return Json.bytes(new ClusterManifest(
                RepositoryFile.FORMAT,
                id,
                KEYS.cluster(),
                KEYS.incarnation(),
                cut,
                List.of(new DatacenterName("dc1")),
                List.of(member),
                "cluster: rides",
                schema,
                1,
                1));
    }

    private BlobReference stored(byte[] bytes, long epoch) {
        var name = new BlobName(Sha256.of(bytes), epoch);
        add(KEYS.blob(name), bytes);
        return new BlobReference(name, bytes.length);
    }

    private static byte[] list(BlobName... slices) {
        var bytes = new ByteArrayOutputStream();
        try (var list = new FileList(bytes)) {
            list.add(new FileEntry(
                    "trips/place-5a1c395eb41f11e59f22ba0be0483c18",
                    "nb-1-big-Data.db",
                    slices.length * 9L,
                    Arrays.asList(slices),
                    null));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }

    private void next(String request) {
        for (Between between : List.copyOf(betweens)) {
            if (request.equals(between.request)) {
                betweens.remove(between);
                between.action.run();
                return;
            }
        }
    }

    private ObjectInfo info(String key, byte[] bytes) {
        return new ObjectInfo(key, bytes.length, modified.getOrDefault(key, NOW));
    }

    @Override
    public void put(String key, Content content) throws IOException {
        next("put " + key);
        try (InputStream in = content.open()) {
            add(key, in.readAllBytes());
        }
    }

    @Override
    public int get(String key, long offset, byte[] into) throws IOException {
        next("get " + key);
        byte[] bytes = objects.get(key);
        if (bytes == null) {
            throw new StoreException(StoreException.Reason.MISSING, key + " is missing", null);
        }
        int length = (int) Math.min(into.length, bytes.length - offset);
        System.arraycopy(bytes, (int) offset, into, 0, length);
        return length;
    }

    @Override
    public Optional<ObjectInfo> stat(String key) {
        next("stat " + key);
        return Optional.ofNullable(objects.get(key)).map(bytes -> info(key, bytes));
    }

    @Override
    public List<ObjectInfo> list(String prefix, @Nullable String after, int limit) {
        next("list " + prefix);
        return objects.tailMap(after == null ? "" : after, after == null).entrySet().stream()
                .filter(e -> e.getKey().startsWith(prefix) && !unlisted.test(e.getKey()))
                .limit(limit)
                .map(e -> info(e.getKey(), e.getValue()))
                .toList();
    }

    @Override
    public void delete(Collection<String> keys) {
        next("delete");
        deletes.addAll(keys);
        keys.forEach(objects::remove);
    }

    @Override
    public void close() {}
}
