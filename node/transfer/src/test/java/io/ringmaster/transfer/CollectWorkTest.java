package io.ringmaster.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.host.FileTree;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.NodeTask.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collections of what the other transfers wrote. */
class CollectWorkTest {
    private static final BackupId FIRST = new BackupId("20261122T040000Z-0001");
    private static final BackupId SECOND = new BackupId("20261123T050000Z-0002");
    private static final BackupId THIRD = new BackupId("20261124T050000Z-0003");
    private static final RepositoryKeys KEYS = TestNode.KEYS;

    @TempDir
    Path directory;

    private final MemoryStore store = new MemoryStore();
    private final TransferProgress progress = new TransferProgress();
    private TestNode node;
    private Map<String, byte[]> files;

    /** Two backups that share a file; each has one of its own. */
    @BeforeEach
    void backUpTwice() throws Exception {
        node = TestNode.cluster(directory, 1).get(0);
        node.sstable(1, 3000);
        node.sstable(2, 5000);
        node.engineFile("CURRENT", 16);
        backUp(FIRST);
        for (Path file : List.copyOf(files())) {
            if (file.getFileName().toString().startsWith("nb-2-")) {
                Files.delete(file);
            }
        }
        node.prefixes.remove("nb-2-big");
        node.sstable(3, 7000);
        backUp(SECOND);
        files = node.files();
    }

    private List<Path> files() throws IOException {
        try (var all = Files.list(node.volume.resolve("data").resolve(TestNode.TABLE))) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private void backUp(BackupId backup) throws IOException, InterruptedException {
        node.takeSnapshot(backup);
        node.upload(store, backup);
        node.commit(store, backup, 1);
    }

    private String collect(Map<String, String> arguments) throws IOException, InterruptedException {
        return new CollectWork(node.request(Kind.BACKUP_COLLECT, THIRD, arguments), store, progress).run();
    }

    private String delete(BackupId backup) throws IOException, InterruptedException {
        return collect(Map.of("delete", backup.value()));
    }

    private void requireWhole(BackupId backup, Path target) throws IOException, InterruptedException {
        String hash = new Catalogue(store, KEYS).read(backup).nodes().get(0).manifest();
        var reader = new TestNode(target, 0);
        reader.fetch(store, backup, NodeName.of(node.id), hash).run();
        assertThat(reader.fetched(backup)).containsExactlyInAnyOrderEntriesOf(files);
    }

    @Test
    void the_other_backup_is_whole_and_what_only_the_deleted_one_had_is_gone() throws Exception {
        int before = store.objects.size();
        assertThat(delete(FIRST)).matches("backups deleted: 1, left: 1; blobs deleted: \\d, \\S+ KiB");
        assertThat(store.objects).hasSizeLessThan(before);
        assertThat(store.objects.keySet()).noneMatch(key -> key.contains(FIRST.value()));
        requireWhole(SECOND, directory.resolve("target"));
        assertThat(progress.done()).isPositive();
        assertThat(progress.message()).isEqualTo("deletes what no backup needs in main");
        assertThat(node.volume.resolve("collect").resolve("names")).doesNotExist();
        assertThat(new VerifyWork(
                                node.request(Kind.BACKUP_VERIFY, SECOND, Map.of("level", "bytes")),
                                store,
                                new TransferProgress())
                        .run())
                .contains("all blobs are there");
    }

    @Test
    void the_rule_comes_from_the_arguments() throws Exception {
        assertThat(collect(Map.of("keep_last", "2"))).contains("deleted: 0, left: 2");
        assertThat(collect(Map.of("keep_last", "1", "keep_daily", "2"))).contains("deleted: 0, left: 2");
        assertThat(collect(Map.of("keep_last", "1"))).contains("deleted: 1, left: 1");
        assertThat(new Catalogue(store, KEYS).committed()).containsExactly(SECOND);
    }

    @Test
    void the_backup_that_was_just_made_stays_whatever_its_id() throws Exception {
        assertThat(collect(Map.of("keep_last", "1", "backup", FIRST.value()))).contains("deleted: 0, left: 2");
    }

    @Test
    void the_newest_and_an_unknown_one_are_refused() {
        assertThatThrownBy(() -> delete(SECOND)).hasMessageContaining("never deleted");
        assertThatThrownBy(() -> delete(THIRD)).hasMessageContaining("there is no backup " + THIRD);
        assertThatThrownBy(() -> collect(Map.of("delete", "latest"))).hasMessageContaining("must look like");
    }

    @Test
    void killed_at_each_request_and_repeated_it_ends_as_if_it_was_not() throws Exception {
        var backedUp = new TreeMap<>(store.objects);
        delete(FIRST);
        var deleted = store.objects.keySet().stream()
                .filter(key -> !key.startsWith(KEYS.epochs()))
                .toList();
        int request = 1;
        for (boolean killed = true; killed; request++) {
            for (boolean after : new boolean[] {false, true}) {
                store.objects.clear();
                store.objects.putAll(backedUp);
                FileTree.delete(node.volume.resolve("collect"));
                killed = isKilled(request, after);
                assertThat(delete(FIRST)).contains("left: 1");
                assertThat(store.objects.keySet())
                        .filteredOn(key -> !key.startsWith(KEYS.epochs()))
                        .containsExactlyElementsOf(deleted);
            }
        }
        assertThat(request).isGreaterThan(40);
        requireWhole(SECOND, directory.resolve("target"));
    }

    @Test
    void another_node_is_done_where_one_that_died_has_deleted_all() throws Exception {
        TestNode other = new TestNode(directory.resolve("other"), 1);
        Map<String, String> named = Map.of("delete", FIRST.value(), NodeTask.AGAIN, "true");
        store.killAtRequest("delete [" + KEYS.trash(FIRST) + "]");
        assertThatThrownBy(() -> delete(FIRST)).isInstanceOf(MemoryStore.Killed.class);
        store.killAt(Integer.MAX_VALUE, false);
        var request = other.request(Kind.BACKUP_COLLECT, THIRD, named);
        assertThat(new CollectWork(request, store, progress).run()).contains("deleted: 0, left: 1");
        assertThat(store.objects.keySet()).noneMatch(key -> key.contains(FIRST.value()));
    }

    private boolean isKilled(int request, boolean after) throws IOException, InterruptedException {
        store.killAt(request, after);
        try {
            delete(FIRST);
            return false;
        } catch (MemoryStore.Killed e) {
            requireWhole(SECOND, directory.resolve("killed-" + request + after));
            return true;
        } finally {
            store.killAt(Integer.MAX_VALUE, false);
        }
    }

    @Test
    void an_upload_whose_backup_it_ended_says_so() throws Exception {
        node.takeSnapshot(THIRD);
        node.upload(store, THIRD);
        collect(Map.of("keep_last", "9"));
        assertThatThrownBy(() -> node.commit(store, THIRD, 1))
                .hasMessageContaining("is void: a collection ended it -> run the backup again");
        assertThat(new Catalogue(store, KEYS).committed()).containsExactly(SECOND, FIRST);
        backUp(new BackupId("20261124T060000Z-0004"));
    }

    @Test
    void a_commit_whose_intents_went_before_its_mark_says_so_unless_its_manifest_was_there() throws Exception {
        node.takeSnapshot(THIRD);
        node.upload(store, THIRD);
        store.before("list " + KEYS.intents(THIRD), () -> collect(Map.of("keep_last", "9")));
        assertThatThrownBy(() -> node.commit(store, THIRD, 1))
                .hasMessageContaining("is void: a collection ended it -> run the backup again");
        store.now = store.now.plus(Duration.ofDays(8));
        collect(Map.of("keep_last", "9"));
        assertThat(store.objects.keySet()).noneMatch(key -> key.contains(THIRD.value()));
    }

    @Test
    void a_commit_that_is_killed_after_its_mark_is_a_backup_and_its_intents_go() throws Exception {
        node.takeSnapshot(THIRD);
        node.upload(store, THIRD);
        store.killAtRequest("put " + KEYS.ok(THIRD));
        assertThatThrownBy(() -> node.commit(store, THIRD, 1)).isInstanceOf(MemoryStore.Killed.class);
        store.killAt(Integer.MAX_VALUE, false);
        assertThat(store.objects.keySet()).anyMatch(key -> key.startsWith(KEYS.intents()));
        collect(Map.of("keep_last", "1"));
        assertThat(store.objects.keySet()).noneMatch(key -> key.startsWith(KEYS.intents()));
        assertThat(new Catalogue(store, KEYS).committed()).containsExactly(THIRD);
        requireWhole(THIRD, directory.resolve("target"));
    }

    @Test
    void a_commit_whose_intents_went_after_it_saw_them_is_a_whole_backup() throws Exception {
        node.takeSnapshot(THIRD);
        node.upload(store, THIRD);
        store.before("put " + KEYS.ok(THIRD), () -> {
            collect(Map.of("keep_last", "9"));
            store.now = store.now.plus(Duration.ofDays(1));
            collect(Map.of("keep_last", "9"));
        });
        assertThat(node.commit(store, THIRD, 1)).contains("1 nodes");
        requireWhole(THIRD, directory.resolve("target"));
    }

    @Test
    void a_commit_that_comes_after_its_manifest_was_deleted_is_not_reported_as_done() throws Exception {
        node.takeSnapshot(THIRD);
        node.upload(store, THIRD);
        store.before("put " + KEYS.ok(THIRD), () -> {
            collect(Map.of("keep_last", "9"));
            store.now = store.now.plus(Duration.ofDays(8));
            collect(Map.of("keep_last", "9"));
        });
        assertThatThrownBy(() -> node.commit(store, THIRD, 1)).hasMessageContaining("is being deleted");
        assertThat(new Catalogue(store, KEYS).committed()).containsExactly(SECOND, FIRST);
    }
}
