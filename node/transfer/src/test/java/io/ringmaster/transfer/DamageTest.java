package io.ringmaster.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.BlobReference;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.FileEntry;
import io.ringmaster.backup.repository.FileList;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.repository.Sha256;
import io.ringmaster.backup.store.StoreException;
import io.ringmaster.backup.store.StoreException.Reason;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeTask.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches and verifications of a repository that is damaged, of a node that is killed, and of one without room. */
class DamageTest {
    private static final BackupId BACKUP = new BackupId("20261124T040000Z-0001");
    private static final RepositoryKeys KEYS = TestNode.KEYS;
    private static final NodeName SOURCE = NodeName.parse("dc1.node-0");
    private static final int MIB = 1 << 20;

    @TempDir
    Path directory;

    private final MemoryStore store = new MemoryStore();
    private TestNode node;
    private TestNode target;
    private Map<String, byte[]> files;
    private String hash;

    @BeforeEach
    void backUp() throws Exception {
        node = TestNode.cluster(directory, 1).get(0);
        node.sstable(1, 16 * MIB + 5);
        node.sstable(2, 5000);
        node.engineFile("CURRENT", 16);
        files = node.files();
        node.takeSnapshot(BACKUP);
        node.upload(store, BACKUP);
        node.commit(store, BACKUP, 1);
        hash = new Catalogue(store, KEYS).read(BACKUP).nodes().get(0).manifest();
        target = new TestNode(directory.resolve("target"), 0);
    }

    @Test
    void a_sound_backup_is_verified_at_both_levels() throws Exception {
        assertThat(verify("objects")).contains("1 nodes, 16.0 MiB").contains("in their sizes");
        assertThat(verify("bytes")).contains("have their hashes");
        assertThat(node.volume.resolve("verify").resolve(BACKUP.value())).doesNotExist();
    }

    @Test
    void the_bandwidth_limits_all_blobs_together() throws Exception {
        Map<String, String> arguments = Map.of("level", "bytes", "bandwidth", String.valueOf(16 * MIB));
        TransferRequest request = node.request(Kind.BACKUP_VERIFY, BACKUP, arguments);
        long start = System.nanoTime();
        assertThat(new VerifyWork(request, store, new TransferProgress()).run()).contains("have their hashes");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(800));
    }

    @Test
    void a_large_backup_is_verified_in_passes() throws Exception {
        TransferRequest request = node.request(Kind.BACKUP_VERIFY, BACKUP, Map.of("level", "bytes"));
        store.requests.clear();
        assertThat(new VerifyWork(request, store, new TransferProgress(), 1).run())
                .contains("all blobs are there");
        assertThat(store.requests).contains("list " + KEYS.blobs("f"));
        store.objects.remove(KEYS.blob(dataSlice(1)));
        assertThatThrownBy(() -> new VerifyWork(request, store, new TransferProgress(), 1).run())
                .hasMessageContaining("nb-1-big-Data.db of trips.place of dc1.node-0: missing");
    }

    @Test
    void a_flipped_blob_is_named() throws Exception {
        BlobName blob = dataSlice(1);
        store.objects.get(KEYS.blob(blob))[2] ^= 4;
        assertThat(verify("objects")).contains("all blobs are there");
        assertThatThrownBy(() -> verify("bytes"))
                .hasMessageContaining("1 blobs in main are damaged: " + blob.brief())
                .hasMessageContaining("nb-1-big-Data.db of trips.place of dc1.node-0: hash differs")
                .hasMessageContaining("-> ringmaster backup create rides --to main --full");
        assertThatThrownBy(this::fetch)
                .hasMessage("blob " + blob.brief()
                        + " of nb-1-big-Data.db of trips.place: hash differs in main -> restore another backup");
        assertThat(target.fetched(BACKUP)).doesNotContainKey(TestNode.TABLE + "/nb-1-big-Data.db");
    }

    @Test
    void a_blob_that_the_store_lost_or_cut_is_sent_again_and_heals_the_backups_before() throws Exception {
        byte[] whole = store.objects.remove(KEYS.blob(dataSlice(0)));
        store.objects.put(KEYS.blob(dataSlice(1)), new byte[1]);
        backUpAgain("20261124T050000Z-0002", Map.of());
        assertThat(store.objects.get(KEYS.blob(dataSlice(0)))).isEqualTo(whole);
        assertThat(verify("bytes")).contains("have their hashes");
        fetch();
        assertThat(target.fetched(BACKUP)).containsExactlyInAnyOrderEntriesOf(files);
    }

    @Test
    void a_full_backup_takes_nothing_from_those_before() throws Exception {
        store.objects.get(KEYS.blob(dataSlice(1)))[2] ^= 4;
        String inherits = backUpAgain("20261124T050000Z-0002", Map.of());
        assertThat(inherits).endsWith("sent 0 B");
        assertThatThrownBy(() -> verify("bytes")).hasMessageContaining("hash differs");
        store.objects.put(KEYS.epoch(7), new byte[0]);
        BackupId full = new BackupId("20261124T060000Z-0003");
        assertThat(backUpAgain(full.value(), Map.of("full", "true"))).endsWith("sent 16.0 MiB");
        hash = new Catalogue(store, KEYS).read(full).nodes().get(0).manifest();
        target.fetch(store, full, SOURCE, hash).run();
        assertThat(target.fetched(full)).containsExactlyInAnyOrderEntriesOf(files);
    }

    private String backUpAgain(String id, Map<String, String> more) throws Exception {
        BackupId backup = new BackupId(id);
        node.takeSnapshot(backup);
        TransferRequest request = node.request(Kind.BACKUP_UPLOAD, backup, more);
        String message = new UploadWork(request, store, new TransferProgress(), TransferMachine.withThreads(1)).run();
        node.commit(store, backup, 1);
        return message;
    }

    @Test
    void a_missing_and_a_cut_blob_are_named() throws Exception {
        BlobName blob = dataSlice(0);
        store.objects.put(KEYS.blob(blob), new byte[10]);
        assertThatThrownBy(() -> verify("objects")).hasMessageContaining("has 10 of 16777216 bytes");
        store.objects.remove(KEYS.blob(blob));
        assertThatThrownBy(() -> verify("objects"))
                .hasMessageContaining("Data.db of trips.place of dc1.node-0: missing");
        assertThatThrownBy(this::fetch).hasMessageContaining("missing in main");
    }

    @Test
    void a_cut_manifest_is_named() {
        String key = KEYS.nodeManifest(BACKUP, SOURCE);
        store.objects.put(key, Arrays.copyOf(store.objects.get(key), 200));
        assertThatThrownBy(() -> verify("objects")).hasMessageContaining(key + " is damaged");
        assertThatThrownBy(this::fetch).hasMessageContaining(key + " is damaged");
        store.objects.put(KEYS.manifest(BACKUP), Arrays.copyOf(store.objects.get(KEYS.manifest(BACKUP)), 200));
        assertThatThrownBy(() -> verify("objects"))
                .hasMessageContaining(KEYS.manifest(BACKUP) + " is damaged: its .ok has another hash");
        store.objects.remove(KEYS.manifest(BACKUP));
        assertThatThrownBy(() -> verify("objects"))
                .hasMessageContaining(KEYS.manifest(BACKUP) + " is missing, but its .ok is there");
    }

    @Test
    void a_backup_that_is_being_deleted_is_not_fetched() {
        store.objects.put(KEYS.trash(BACKUP), new byte[0]);
        assertThatThrownBy(this::fetch).hasMessageContaining("is being deleted");
        assertThat(store.objects).as("marks of readers").doesNotContainKey(KEYS.reader(BACKUP, target.id));
    }

    @Test
    void the_repository_of_another_cluster_is_not_fetched() {
        String key = KEYS.repositoryFile();
        String others = new String(store.objects.get(key), StandardCharsets.UTF_8).replace("\"rides\"", "\"eats\"");
        store.objects.put(key, others.getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(this::fetch)
                .hasMessageContaining(
                        key + " belongs to eats/" + KEYS.incarnation() + ", not to rides/" + KEYS.incarnation());
        assertThat(store.objects).as("marks of readers").doesNotContainKey(KEYS.reader(BACKUP, target.id));
    }

    @Test
    void files_of_two_nodes_do_not_mix() throws Exception {
        fetch();
        assertThatThrownBy(() -> target.fetch(store, BACKUP, NodeName.parse("dc1.node-7"), hash)
                        .run())
                .hasMessageContaining("rides/dc1/node-0 has the files of dc1.node-0 of " + BACKUP)
                .hasMessageContaining("not of dc1.node-7");
        assertThat(target.fetched(BACKUP)).containsExactlyInAnyOrderEntriesOf(files);
    }

    @Test
    void a_fetch_that_is_killed_at_each_request_goes_on() throws Exception {
        int request = 1;
        for (boolean killed = true; killed; request++) {
            target = new TestNode(directory.resolve("target-" + request), 0);
            store.killAt(request, true);
            try {
                fetch();
                killed = false;
            } catch (MemoryStore.Killed e) {
                killed = true;
            }
            store.killAt(Integer.MAX_VALUE, false);
            fetch();
            assertThat(target.fetched(BACKUP)).containsExactlyInAnyOrderEntriesOf(files);
        }
        assertThat(request).isGreaterThan(12);
        store.requests.clear();
        fetch();
        assertThat(store.requests).isEmpty();
    }

    @Test
    void slices_that_are_on_disk_are_not_fetched_again_but_compared() throws Exception {
        Path table = Files.createDirectories(
                target.volume.resolve("restore").resolve(BACKUP.value()).resolve(TestNode.TABLE));
        byte[] data = files.get(TestNode.TABLE + "/nb-1-big-Data.db");
        Files.write(table.resolve("nb-1-big-Data.db.part"), Arrays.copyOf(data, 16 * MIB + 2));
        store.requests.clear();
        fetch();
        assertThat(store.requests).doesNotContain("get " + KEYS.blob(dataSlice(0)));
        assertThat(store.requests).contains("get " + KEYS.blob(dataSlice(1)));
        assertThat(target.fetched(BACKUP)).containsExactlyInAnyOrderEntriesOf(files);
    }

    @Test
    void a_node_without_room_fetches_no_file() throws Exception {
        var out = new ByteArrayOutputStream();
        try (var list = new FileList(out)) {
            list.add(new FileEntry(TestNode.TABLE, "nb-9-big-Data.db", 1L << 50, List.of(), null));
        }
        BlobName blob = new BlobName(Sha256.of(out.toByteArray()), 0);
        store.objects.put(KEYS.blob(blob), out.toByteArray());
        NodeManifest sound = nodeManifest();
        byte[] json = Json.bytes(new NodeManifest(
                sound.backup(),
                sound.node(),
                sound.hostId(),
                sound.cassandra(),
                sound.cut(),
                sound.schemaVersion(),
                sound.needsCleanup(),
                sound.ring(),
                1L << 50,
                1,
                0,
                new BlobReference(blob, out.size()),
                sound.schema()));
        store.objects.put(KEYS.nodeManifest(BACKUP, SOURCE), json);
        assertThatThrownBy(() ->
                        target.fetch(store, BACKUP, SOURCE, Sha256.of(json)).run())
                .hasMessageContaining("rides/dc1/node-0 needs 1024")
                .hasMessageContaining("free");
    }

    @Test
    void a_fetch_that_fails_keeps_collections_away_until_its_retry_is_done() throws Exception {
        Path fetched = target.volume.resolve("restore").resolve(BACKUP.value());
        Path table = Path.of(TestNode.TABLE);
        Path inTheWay = Files.createDirectories(fetched.resolve(table.getParent()));
        Path file = Files.createFile(inTheWay.resolve(table.getFileName()));
        assertThatThrownBy(this::fetch).isInstanceOf(IOException.class);
        assertThat(store.objects).as("marks of readers").containsKey(KEYS.reader(BACKUP, target.id));
        Files.delete(file);
        fetch();
        assertThat(store.objects).as("marks of readers").doesNotContainKey(KEYS.reader(BACKUP, target.id));
    }

    @Test
    void a_volume_without_room_is_named_and_a_store_without_room_is_not_taken_for_it() {
        TransferRequest request = node.request(Kind.RESTORE_FETCH, BACKUP, Map.of());
        String full = "No space left on device";
        assertThat(TransferMain.message(new IOException(full), request))
                .isEqualTo("the volume of rides/dc1/node-0 has no room left: " + full);
        assertThat(TransferMain.message(new FileSystemException("/volume/list.json.gz", null, full), request))
                .isEqualTo("the volume of rides/dc1/node-0 has no room left: /volume/list.json.gz: " + full);
        assertThat(TransferMain.message(new StoreException(Reason.FULL, "/backups: put a: " + full, null), request))
                .isEqualTo("/backups: put a: " + full);
    }

    @Test
    void a_check_leaves_nothing_and_names_what_fails() throws Exception {
        int before = store.objects.size();
        TransferRequest request = node.request(Kind.BACKUP_CHECK, BACKUP, Map.of());
        assertThat(new CheckWork(request, store, new TransferProgress()).run()).contains("in main");
        assertThat(store.objects).hasSize(before);
    }

    @Test
    void an_argument_that_is_missing_is_named() {
        TransferRequest request = node.request(Kind.RESTORE_FETCH, BACKUP, Map.of());
        assertThatThrownBy(() ->
                        new FetchWork(request, store, new TransferProgress(), TransferMachine.withThreads(1)).run())
                .hasMessageContaining("restore-fetch")
                .hasMessageContaining("source");
    }

    private String verify(String level) throws IOException, InterruptedException {
        TransferRequest request = node.request(Kind.BACKUP_VERIFY, BACKUP, Map.of("level", level));
        return new VerifyWork(request, store, new TransferProgress()).run();
    }

    private void fetch() throws IOException, InterruptedException {
        target.fetch(store, BACKUP, SOURCE, hash).run();
    }

    private NodeManifest nodeManifest() {
        return Json.parse(store.objects.get(KEYS.nodeManifest(BACKUP, SOURCE)), NodeManifest.class);
    }

    private BlobName dataSlice(int index) throws IOException, InterruptedException {
        List<FileEntry> found = new ArrayList<>();
        byte[] list = store.objects.get(KEYS.blob(nodeManifest().list().blob()));
        FileList.read(new ByteArrayInputStream(list), file -> {
            if (file.name().equals("nb-1-big-Data.db")) {
                found.add(file);
            }
        });
        return found.get(0).slices().get(index);
    }
}
