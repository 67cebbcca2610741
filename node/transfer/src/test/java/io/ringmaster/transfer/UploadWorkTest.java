package io.ringmaster.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.Cut;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.host.FileTree;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeTask.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UploadWorkTest {
    private static final BackupId FIRST = new BackupId("20261124T040000Z-0001");
    private static final BackupId SECOND = new BackupId("20261124T050000Z-0002");
    private static final int MIB = 1 << 20;

    @TempDir
    Path directory;

    private final MemoryStore store = new MemoryStore();
    private TestNode node;

    @BeforeEach
    void writeFiles() {
        node = TestNode.cluster(directory, 1).get(0);
        node.sstable(1, 3 * MIB);
        node.sstable(2, 5000);
        node.engineFile("000012.sst", MIB + 1);
        node.engineFile("CURRENT", 16);
    }

    @Test
    void what_is_fetched_is_what_the_snapshot_had() throws Exception {
        node.sstable(3, 16 * MIB + 4097);
        Map<String, byte[]> files = node.files();
        backUp(FIRST);
        TestNode target = new TestNode(directory.resolve("target"), 0);
        String message = target.fetch(store, FIRST, NodeName.of(node.id), manifestHash(FIRST))
                .run();
        assertThat(message).contains("17 files of dc1.node-0");
        assertThat(target.fetched(FIRST)).containsExactlyInAnyOrderEntriesOf(files);
        Path staging = target.volume.resolve("restore").resolve(FIRST.value());
        assertThat(staging.resolve("schema.json")).content().contains("CREATE TABLE");
        assertThat(store.objects.keySet()).noneMatch(key -> key.contains("/readers/"));
    }

    @Test
    void the_links_are_gone_when_they_are_sent_and_the_data_is_not() throws Exception {
        Map<String, byte[]> files = node.files();
        backUp(FIRST);
        assertThat(node.snapshot(TestNode.TABLE, FIRST)).doesNotExist();
        assertThat(node.files()).containsExactlyInAnyOrderEntriesOf(files);
    }

    @Test
    void an_unchanged_node_sends_nothing_by_a_dozen_requests() throws Exception {
        backUp(FIRST);
        node.takeSnapshot(SECOND);
        store.requests.clear();
        String message = node.upload(store, SECOND);
        assertThat(message).endsWith("sent 0 B");
        assertThat(store.requests).hasSizeLessThanOrEqualTo(20);
        assertThat(blobPuts()).hasSize(2); // the list and the schema
        assertThat(node.volume.resolve("backup").resolve(FIRST.value())).doesNotExist();
    }

    @Test
    void only_what_changed_is_sent() throws Exception {
        backUp(FIRST);
        node.sstable(4, 2 * MIB);
        Path replaced = node.volume.resolve("data").resolve(TestNode.TABLE + "/nb-1-big-Statistics.db");
        Files.delete(replaced);
        Files.writeString(replaced, "a new level");
        node.takeSnapshot(SECOND);
        node.upload(store, SECOND);
        assertThat(manifest(SECOND).newBytes()).isEqualTo(2 * MIB + 4004 + 100 + 60 + "a new level".length());
    }

    @Test
    void a_file_that_a_former_upload_hashed_is_not_read_again() throws Exception {
        Path data = node.volume.resolve("data").resolve(TestNode.TABLE + "/nb-1-big-Data.db");
        FileTime modified = FileTime.fromMillis(1_700_000_000_000L);
        Files.setLastModifiedTime(data, modified);
        backUp(FIRST);
        Files.write(data, new byte[3 * MIB], StandardOpenOption.WRITE);
        Files.setLastModifiedTime(data, modified);
        backUp(SECOND);
        assertThat(manifest(SECOND).newBytes()).isZero();
    }

    @Test
    void a_replaced_volume_sends_only_what_its_datacenter_lacks() throws Exception {
        backUp(FIRST);
        TestNode replacement = new TestNode(directory.resolve("replacement"), 0);
        replacement.ring = List.of(TestNode.member("00000000-0000-0000-0000-00000000000a", "0"));
        copy(node.volume.resolve("data"), replacement.volume.resolve("data"));
        replacement.prefixes.addAll(node.prefixes);
        replacement.takeSnapshot(SECOND);
        Path info = replacement.volume.resolve("backup").resolve(SECOND.value()).resolve("snapshot.json");
        Files.writeString(info, Files.readString(info).replace(node.hostId, "00000000-0000-0000-0000-00000000000a"));
        replacement.upload(store, SECOND);
        assertThat(manifest(SECOND).newBytes()).isZero();
    }

    @Test
    void killed_at_each_request_it_goes_on() throws Exception {
        Map<String, byte[]> files = node.files();
        int request = 1;
        for (boolean killed = true; killed; request++) {
            for (boolean after : new boolean[] {false, true}) {
                killed = resumesAfterKill(request, after, files);
            }
        }
        assertThat(request).isGreaterThan(15);
    }

    /** @return false if the upload ended before that request */
    private boolean resumesAfterKill(int request, boolean after, Map<String, byte[]> files) throws Exception {
        store.objects.clear();
        store.killAt(Integer.MAX_VALUE, false);
        Path volume = node.volume.resolve("backup");
        FileTree.delete(volume);
        node.takeSnapshot(FIRST);
        store.killAt(request, after);
        boolean killed = false;
        try {
            node.upload(store, FIRST);
        } catch (MemoryStore.Killed e) {
            killed = true;
        }
        store.killAt(Integer.MAX_VALUE, false);
        String message = node.upload(store, FIRST);
        assertThat(node.upload(store, FIRST)).isEqualTo(message);
        assertThat(message).startsWith("4.0 MiB in 12 files");
        node.commit(store, FIRST, 1);
        TestNode target = new TestNode(directory.resolve("target-" + request + after), 0);
        target.fetch(store, FIRST, NodeName.of(node.id), manifestHash(FIRST)).run();
        assertThat(target.fetched(FIRST)).containsExactlyInAnyOrderEntriesOf(files);
        return killed;
    }

    @Test
    void a_resumed_upload_whose_intent_a_collection_deleted_is_void() throws Exception {
        node.takeSnapshot(FIRST);
        store.killAt(12, false);
        assertThatThrownBy(() -> node.upload(store, FIRST)).isInstanceOf(MemoryStore.Killed.class);
        store.killAt(Integer.MAX_VALUE, false);
        store.objects.remove(TestNode.KEYS.intent(FIRST, NodeName.of(node.id)));
        assertThatThrownBy(() -> node.upload(store, FIRST)).hasMessageContaining("is void");
        assertThat(store.objects).doesNotContainKey(TestNode.KEYS.intent(FIRST, NodeName.of(node.id)));
    }

    /** The clock of the machine is set right while the program is dead. */
    @Test
    void a_resumed_upload_keeps_the_cut_that_it_took_over_into_the_clock_of_the_store() throws Exception {
        node.now = node.now.plus(Duration.ofMinutes(20));
        node.takeSnapshot(FIRST);
        store.killAt(12, false);
        assertThatThrownBy(() -> node.upload(store, FIRST)).isInstanceOf(MemoryStore.Killed.class);
        store.killAt(Integer.MAX_VALUE, false);
        node.now = MemoryStore.START;
        node.upload(store, FIRST);
        assertThat(manifest(FIRST).cut())
                .isEqualTo(new Cut(Instant.parse("2026-11-24T03:40:00Z"), Instant.parse("2026-11-24T03:40:01Z")));
    }

    @Test
    void a_cut_encloses_what_a_put_leaves_in_doubt_and_a_put_that_takes_long_is_repeated() throws Exception {
        String intent = TestNode.KEYS.intent(FIRST, NodeName.of(node.id));
        store.before("put " + intent, () -> {
            store.before("put " + intent, () -> {
                node.now = node.now.plusSeconds(3); // on the way to the store
                store.now = Instant.parse("2026-11-24T08:00:05Z"); // the fraction is cut off
            });
            node.now = node.now.plus(Duration.ofHours(2)); // an outage
        });
        node.takeSnapshot(FIRST);
        node.upload(store, FIRST);
        assertThat(manifest(FIRST).cut())
                .isEqualTo(
                        new Cut(Instant.parse("2026-11-24T04:00:01.750Z"), Instant.parse("2026-11-24T04:00:06.750Z")));
    }

    @Test
    void new_blobs_carry_the_epoch_that_was_read_after_the_intent() throws Exception {
        backUp(FIRST);
        store.objects.put(TestNode.KEYS.epoch(3), new byte[0]);
        store.objects.put(TestNode.KEYS.epoch(12), new byte[0]);
        node.sstable(5, 100);
        node.takeSnapshot(SECOND);
        store.requests.clear();
        node.upload(store, SECOND);
        assertThat(blobPuts()).hasSize(3).allMatch(put -> put.endsWith(".12"));
        int intent = store.requests.indexOf("put " + TestNode.KEYS.intent(SECOND, NodeName.of(node.id)));
        assertThat(store.requests.indexOf("list " + TestNode.KEYS.epochs())).isGreaterThan(intent);
        assertThat(store.requests.indexOf("list " + TestNode.KEYS.backups())).isGreaterThan(intent);
    }

    @Test
    void a_backup_that_is_being_deleted_or_damaged_is_no_base() throws Exception {
        backUp(FIRST);
        store.objects.put(TestNode.KEYS.trash(FIRST), new byte[0]);
        node.takeSnapshot(SECOND);
        node.upload(store, SECOND);
        assertThat(manifest(SECOND).newBytes())
                .isEqualTo(manifest(FIRST).newBytes())
                .isPositive();

        store.objects.remove(TestNode.KEYS.trash(FIRST));
        store.objects.put(TestNode.KEYS.blob(manifest(FIRST).list().blob()), new byte[10]);
        BackupId third = new BackupId("20261124T060000Z-0003");
        node.takeSnapshot(third);
        node.upload(store, third);
        assertThat(manifest(third).newBytes()).isEqualTo(manifest(FIRST).newBytes());
    }

    /** A clock was a year ahead: the files of that backup are not the newest for as long. */
    @Test
    void a_backup_of_the_future_is_no_base_but_when_there_is_no_other() throws Exception {
        BackupId future = new BackupId("20271124T040000Z-0009");
        backUp(future);
        node.takeSnapshot(FIRST);
        node.upload(store, FIRST);
        assertThat(manifest(FIRST).newBytes()).isZero();
        node.commit(store, FIRST, 1);
        store.requests.clear();
        node.takeSnapshot(SECOND);
        node.upload(store, SECOND);
        assertThat(store.requests)
                .contains("get " + TestNode.KEYS.manifest(FIRST))
                .doesNotContain("get " + TestNode.KEYS.manifest(future));
    }

    @Test
    void files_that_only_the_snapshot_keeps_go_first() throws Exception {
        node.takeSnapshot(FIRST);
        try (Stream<Path> files = Files.list(node.volume.resolve("data").resolve(TestNode.TABLE))) {
            for (Path file :
                    files.filter(f -> f.toString().contains("/nb-2-big-")).toList()) {
                Files.delete(file);
            }
        }
        var tree = new SnapshotTree(
                node.volume,
                FIRST,
                SnapshotInfo.read(new UploadFiles(node.volume, FIRST).snapshot(), FIRST)
                        .tables());
        assertThat(tree.groups(path -> false).get(0))
                .allMatch(link -> link.name().startsWith("nb-2-big-"));
    }

    @Test
    void an_index_that_is_built_during_the_upload_changes_the_list_of_components_and_nothing_else() throws Exception {
        Path table = node.volume.resolve("data").resolve(TestNode.TABLE);
        Path toc = Files.writeString(table.resolve("nb-2-big-TOC.txt"), "Data.db\n");
        node.takeSnapshot(FIRST);
        Map<String, byte[]> files = node.files();
        String components = "Data.db\nSAI+aa+by_rider+Meta.db\n";
        files.put(TestNode.TABLE + "/nb-2-big-TOC.txt", components.getBytes(StandardCharsets.UTF_8));
        store.beforeBlob = () -> { // of the first sstable
            write(table.resolve("nb-2-big-SAI+aa+by_rider+Meta.db"), "an index");
            write(toc, components);
        };
        node.upload(store, FIRST);
        node.commit(store, FIRST, 1);
        TestNode target = new TestNode(directory.resolve("target"), 0);
        target.fetch(store, FIRST, NodeName.of(node.id), manifestHash(FIRST)).run();
        assertThat(target.fetched(FIRST)).containsExactlyInAnyOrderEntriesOf(files);
    }

    @Test
    void a_large_file_that_changes_is_named() throws Exception {
        node.takeSnapshot(FIRST);
        Path large = node.volume.resolve("data").resolve(TestNode.ENGINE_TABLE + "/000012.sst");
        store.beforeBlob = () -> write(large, "other bytes");
        assertThatThrownBy(() -> node.upload(store, FIRST))
                .hasMessageContaining("000012.sst changes while it is read -> run the backup again");
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_file_that_the_snapshot_lost_is_named() throws Exception {
        node.takeSnapshot(FIRST);
        Files.delete(node.snapshot(TestNode.TABLE, FIRST).resolve("nb-2-big-Data.db"));
        assertThatThrownBy(() -> node.upload(store, FIRST))
                .hasMessageContaining("trips.place")
                .hasMessageContaining("nb-2-big-Data.db");
        node.takeSnapshot(SECOND);
        Files.delete(node.snapshot(TestNode.ENGINE_TABLE, SECOND).resolve("rocksdb/CURRENT"));
        assertThatThrownBy(() -> node.upload(store, SECOND)).hasMessageContaining("trips.driver lacks its checkpoint");
        assertThat(store.objects).doesNotContainKey(TestNode.KEYS.nodeManifest(FIRST, NodeName.of(node.id)));
    }

    @Test
    void a_table_of_the_engine_without_a_row_has_no_checkpoint_to_send() throws Exception {
        FileTree.delete(node.volume.resolve("data").resolve(TestNode.ENGINE_TABLE));
        node.takeSnapshot(FIRST);
        node.upload(store, FIRST);
        assertThat(store.objects).containsKey(TestNode.KEYS.nodeManifest(FIRST, NodeName.of(node.id)));
    }

    @Test
    void a_snapshot_that_goes_while_the_program_is_dead_makes_no_backup_of_what_was_sent_before() throws Exception {
        node.takeSnapshot(FIRST);
        store.killAt(8, false);
        assertThatThrownBy(() -> node.upload(store, FIRST)).isInstanceOf(MemoryStore.Killed.class);
        store.killAt(Integer.MAX_VALUE, false);
        FileTree.delete(node.snapshot(TestNode.TABLE, FIRST));
        FileTree.delete(node.snapshot(TestNode.ENGINE_TABLE, FIRST));
        assertThatThrownBy(() -> node.upload(store, FIRST)).hasMessageContaining("run the backup again");
        assertThat(store.objects).doesNotContainKey(TestNode.KEYS.nodeManifest(FIRST, NodeName.of(node.id)));
    }

    @Test
    void a_snapshot_that_is_not_there_is_named() {
        assertThatThrownBy(() -> node.upload(store, FIRST)).hasMessageContaining("snapshot.json is missing");
    }

    @Test
    void a_repository_of_another_format_is_refused() throws Exception {
        node.takeSnapshot(FIRST);
        store.objects.put(
                TestNode.KEYS.repositoryFile(),
                Json.bytes(Map.of("format", 2, "cluster", "rides", "incarnation", TestNode.KEYS.incarnation())));
        assertThatThrownBy(() -> node.upload(store, FIRST)).hasMessageContaining("another format");
    }

    @Test
    void four_streams_give_the_same_backup() throws Exception {
        Map<String, byte[]> files = node.files();
        node.takeSnapshot(FIRST);
        new UploadWork(
                        node.request(Kind.BACKUP_UPLOAD, FIRST, Map.of()),
                        store,
                        new TransferProgress(),
                        TransferMachine.withThreads(4))
                .run();
        node.commit(store, FIRST, 1);
        TestNode target = new TestNode(directory.resolve("target"), 0);
        target.fetch(store, FIRST, NodeName.of(node.id), manifestHash(FIRST)).run();
        assertThat(target.fetched(FIRST)).containsExactlyInAnyOrderEntriesOf(files);
    }

    @Test
    void the_heap_decides_how_many_streams_there_are() {
        assertThat(TransferThreads.countFor(93L << 20)).isEqualTo(1);
        assertThat(TransferThreads.countFor(185L << 20)).isEqualTo(4);
    }

    @Test
    void the_bandwidth_is_a_limit() throws Exception {
        long start = System.nanoTime();
        take40000(new RateLimit(100_000, Yielding.never()));
        assertThat(System.nanoTime() - start).isGreaterThan(390_000_000L);
        var rested = new RateLimit(100_000, Yielding.never());
        Thread.sleep(500);
        long later = System.nanoTime();
        take40000(rested);
        assertThat(System.nanoTime() - later).as("a burst of 0.1 s").isGreaterThan(290_000_000L);
        new RateLimit(0, Yielding.never()).take(Long.MAX_VALUE);
    }

    private static void take40000(RateLimit limit) throws InterruptedException {
        for (int i = 0; i < 4; i++) {
            limit.take(10_000);
        }
    }

    private void backUp(BackupId backup) throws IOException, InterruptedException {
        node.takeSnapshot(backup);
        node.upload(store, backup);
        node.commit(store, backup, 1);
    }

    private List<String> blobPuts() {
        return store.requests.stream()
                .filter(request -> request.startsWith("put " + TestNode.KEYS.blobs("")))
                .toList();
    }

    private NodeManifest manifest(BackupId backup) {
        return Json.parse(
                store.objects.get(TestNode.KEYS.nodeManifest(backup, NodeName.of(node.id))), NodeManifest.class);
    }

    private String manifestHash(BackupId backup) throws IOException, InterruptedException {
        return new Catalogue(store, TestNode.KEYS).read(backup).nodes().get(0).manifest();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isRegularFile(file)) {
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
    }
}
