package io.ringmaster.backup.collect;

import static io.ringmaster.backup.collect.TestRepository.KEYS;
import static io.ringmaster.backup.collect.TestRepository.NODE;
import static io.ringmaster.backup.collect.TestRepository.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.KeepRule;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.Sha256;
import io.ringmaster.model.name.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectorTest {
    private static final BackupId FIRST = new BackupId("20261122T040000Z-0001");
    private static final BackupId SECOND = new BackupId("20261123T040000Z-0002");
    private static final BackupId THIRD = new BackupId("20261124T040000Z-0003");
    private static final NodeId READER = NodeId.of("rides2/dc1/node-0");

    @TempDir
    private Path directory;

    private final TestRepository store = new TestRepository();

    private Collected run(Expiry expiry) throws IOException, InterruptedException {
        return new Collector(store, KEYS, directory, new Collector.Progress() {
                    @Override
                    public void stage(String text) {}

                    @Override
                    public void freed(long bytes) {}
                })
                .run(expiry);
    }

    private Collected delete(BackupId... backups) throws IOException, InterruptedException {
        return run(Expiry.named(List.of(backups)));
    }

    /** A collection that deletes garbage alone. */
    private Collected sweep() throws IOException, InterruptedException {
        return run(Expiry.keeping(new KeepRule(99, 0), null));
    }

    private boolean has(BlobName blob) {
        return store.has(KEYS.blob(blob));
    }

    @Test
    void a_blob_that_a_manifest_names_stays_and_one_that_none_names_goes() throws Exception {
        BlobName shared = store.blob("shared", 0);
        BlobName old = store.blob("old", 0);
        store.backup(FIRST, shared, old);
        store.backup(SECOND, shared);
        store.backup(THIRD, shared);
        Collected done = delete(FIRST);
        assertThat(done.backups()).isEqualTo(1);
        assertThat(done.kept()).isEqualTo(2);
        assertThat(done.blobs()).as("the blob, the list and the schema").isEqualTo(3);
        assertThat(has(shared)).isTrue();
        assertThat(has(old)).isFalse();
        assertThat(store.objects.keySet()).noneMatch(key -> key.contains(FIRST.value()));
        assertThat(Survey.of(store, KEYS).complete()).containsExactly(SECOND, THIRD);
    }

    @Test
    void the_newest_complete_backup_is_never_deleted() throws Exception {
        BlobName blob = store.blob("blob", 0);
        store.backup(FIRST, blob);
        store.backup(SECOND, blob);
        store.addAt(KEYS.manifest(THIRD), store.parts(THIRD, blob), NOW.minus(Duration.ofDays(8)));
        var before = new TreeSet<>(store.objects.keySet());
        assertThatThrownBy(() -> delete(FIRST, SECOND))
                .hasMessageContaining(SECOND + " is the newest complete backup, which is never deleted");
        assertThat(store.objects.keySet()).isEqualTo(before);
        assertThat(run(Expiry.keeping(new KeepRule(1, 0), null)).kept()).isEqualTo(1);
        assertThat(Survey.of(store, KEYS).complete()).containsExactly(SECOND);
    }

    @Test
    void the_rule_keeps_what_it_says() throws Exception {
        BackupId early = new BackupId("20261123T010000Z-0009");
        for (BackupId backup : List.of(FIRST, early, SECOND, THIRD)) {
            store.backup(backup, store.blob("of " + backup, 0));
        }
        assertThat(run(Expiry.keeping(new KeepRule(1, 2), null)).backups()).isEqualTo(2);
        assertThat(Survey.of(store, KEYS).complete()).containsExactly(SECOND, THIRD);
    }

    /** A clock was a year ahead when a backup was requested. */
    @Test
    void the_backup_that_was_just_made_stays_although_an_id_of_the_future_takes_its_place() throws Exception {
        BackupId future = new BackupId("20271122T040000Z-0009");
        for (BackupId backup : List.of(FIRST, SECOND, THIRD, future)) {
            store.backup(backup, store.blob("of " + backup, 0));
        }
        assertThat(run(Expiry.keeping(new KeepRule(1, 0), THIRD)).backups()).isEqualTo(2);
        assertThat(Survey.of(store, KEYS).complete()).containsExactly(THIRD, future);
        assertThatThrownBy(() -> delete(THIRD)).hasMessageContaining("the newest complete backup");
        delete(future);
        assertThat(Survey.of(store, KEYS).complete()).containsExactly(THIRD);
    }

    @Test
    void an_unknown_backup_is_refused_with_those_that_exist() throws Exception {
        store.backup(FIRST, store.blob("blob", 0));
        store.backup(SECOND, store.blob("blob", 0));
        assertThatThrownBy(() -> delete(THIRD, FIRST))
                .isInstanceOf(CollectException.class)
                .hasMessage(
                        "there is no backup " + THIRD + ", but " + SECOND + ", " + FIRST + " -> nothing was deleted");
        assertThat(Survey.of(store, KEYS).complete()).containsExactly(FIRST, SECOND);
        assertThat(run(Expiry.rest(List.of(THIRD, FIRST))).backups())
                .as("repeated")
                .isEqualTo(1);
    }

    @Test
    void a_restore_that_reads_stops_it_by_name_and_nothing_changes() throws Exception {
        BlobName old = store.blob("old", 0);
        store.backup(FIRST, old);
        store.backup(SECOND, store.blob("new", 0));
        store.addAt(KEYS.reader(FIRST, READER), new byte[0], NOW.minus(Duration.ofDays(7)));
        assertThatThrownBy(() -> delete(FIRST))
                .hasMessageContaining("rides2.dc1.node-0 reads " + FIRST + " since 2026-11-17T12:00:00Z; if it is"
                        + " gone, its mark expires at 2026-11-24T12:00:00Z");
        assertThat(has(old)).isTrue();
        assertThat(Survey.of(store, KEYS).trashed()).isEmpty();
        store.addAt(
                KEYS.reader(FIRST, READER),
                new byte[0],
                NOW.minus(Duration.ofDays(7).plusSeconds(1)));
        delete(FIRST);
        assertThat(has(old)).isFalse();
        assertThat(store.has(KEYS.reader(FIRST, READER))).isFalse();
    }

    @Test
    void a_restore_that_starts_between_the_marks_and_the_intents_stops_it_too() {
        BlobName old = store.blob("old", 0);
        store.backup(FIRST, old);
        store.backup(SECOND, store.blob("new", 0));
        store.before("put " + KEYS.trash(FIRST), () -> store.mark(KEYS.reader(FIRST, READER)));
        assertThatThrownBy(() -> delete(FIRST)).hasMessageContaining("rides2.dc1.node-0 reads " + FIRST);
        assertThat(has(old)).isTrue();
        assertThat(store.has(KEYS.ok(FIRST))).isTrue();
        assertThat(store.has(KEYS.trash(FIRST))).as("the restore goes on").isFalse();
    }

    @Test
    void a_backup_whose_blobs_cannot_be_known_stops_it() throws Exception {
        BlobName old = store.blob("old", 0);
        BlobName other = store.blob("other", 0);
        store.backup(FIRST, old);
        store.backup(SECOND, other);
        store.backup(THIRD, old);
        String list = store.objects.keySet().stream()
                .filter(key -> key.startsWith(KEYS.blobs("")) && store.text(key).startsWith("\u001f"))
                .findFirst()
                .orElseThrow();
        for (String key : List.of(list, KEYS.nodeManifest(SECOND, NODE), KEYS.manifest(SECOND), KEYS.ok(SECOND))) {
            var whole = store.objects.get(key);
            store.mark(key);
            assertThatThrownBy(() -> delete(FIRST))
                    .as(key)
                    .isInstanceOf(CollectException.class)
                    .hasMessageContaining("no blob is deleted")
                    .hasMessageContaining("-> put the object back, or make a newer backup, then delete ");
            store.objects.remove(key);
            if (!key.equals(KEYS.ok(SECOND))) {
                assertThatThrownBy(() -> delete(FIRST)).as(key).hasMessageContaining("is missing");
            }
            store.objects.put(key, whole);
            assertThat(has(old) && has(other) && store.has(KEYS.ok(FIRST))).isTrue();
            assertThat(store.has(KEYS.trash(FIRST))).as("it can be restored").isFalse();
        }
        store.objects.remove(KEYS.manifest(SECOND));
        delete(SECOND);
        assertThat(has(other)).as("the damaged one can be deleted").isFalse();
        assertThat(store.objects.keySet()).noneMatch(key -> key.contains(SECOND.value()));
    }

    @Test
    void an_upload_that_starts_after_its_intents_were_listed_has_blobs_of_the_new_epoch() throws Exception {
        BlobName shared = store.blob("shared", 0);
        store.backup(FIRST, shared, store.blob("old", 0));
        store.backup(SECOND, shared);
        store.before(
                "list " + KEYS.readers(),
                () -> store.before("list " + KEYS.readers(), () -> {
                    assertThat(store.has(KEYS.epoch(1)))
                            .as("the epoch comes before the intents are deleted")
                            .isTrue();
                    store.mark(KEYS.intent(THIRD, NODE));
                    store.parts(THIRD, shared, store.blob("new", 1));
                }));
        delete(FIRST);
        assertThat(has(store.name("new", 1))).isTrue();
        assertThat(store.has(KEYS.nodeManifest(THIRD, NODE)))
                .as("it may be committed")
                .isTrue();
        assertThat(store.has(KEYS.intent(THIRD, NODE))).isTrue();
    }

    @Test
    void blobs_of_a_manifest_that_was_there_before_its_intents_were_deleted_stay() throws Exception {
        BlobName shared = store.blob("shared", 0);
        BlobName mine = store.blob("mine", 0);
        store.backup(FIRST, shared);
        store.backup(SECOND, shared);
        store.mark(KEYS.intent(THIRD, NODE));
        byte[] json = store.parts(THIRD, mine);
        store.add(KEYS.manifest(THIRD), json);
        delete(FIRST);
        assertThat(has(mine)).isTrue();
        assertThat(store.has(KEYS.nodeManifest(THIRD, NODE))).isTrue();
        assertThat(store.has(KEYS.intent(THIRD, NODE))).isFalse();
        sweep();
        assertThat(has(mine)).as("its commit may have seen the intents").isTrue();
        store.addAt(KEYS.manifest(THIRD), json, NOW.minus(Duration.ofDays(8)));
        sweep();
        assertThat(has(mine)).as("nothing completes it any more").isFalse();
        assertThat(store.objects.keySet()).noneMatch(key -> key.contains(THIRD.value()));
    }

    @Test
    void a_commit_while_the_leftovers_are_looked_for_is_none() throws Exception {
        BlobName mine = store.blob("mine", 0);
        store.backup(FIRST, store.blob("shared", 0));
        byte[] json = store.parts(SECOND, mine);
        store.mark(KEYS.intent(SECOND, NODE));
        store.addAt(KEYS.manifest(SECOND), json, NOW.minus(Duration.ofDays(8)));
        store.before("list " + KEYS.intents(), () -> {
            store.add(KEYS.ok(SECOND), Sha256.of(json).getBytes(StandardCharsets.US_ASCII));
            store.objects.remove(KEYS.intent(SECOND, NODE));
        });
        sweep();
        assertThat(Survey.of(store, KEYS).complete()).containsExactly(FIRST, SECOND);
        assertThat(has(mine)).isTrue();
    }

    @Test
    void a_void_manifest_whose_parts_are_gone_stops_nothing() throws Exception {
        store.backup(FIRST, store.blob("old", 0));
        store.backup(SECOND, store.blob("new", 0));
        store.add(KEYS.manifest(THIRD), store.parts(THIRD, store.blob("mine", 0)));
        store.objects.remove(KEYS.nodeManifest(THIRD, NODE));
        assertThat(delete(FIRST).kept()).isEqualTo(1);
    }

    @Test
    void a_backup_that_another_collection_marks_later_is_still_read() throws Exception {
        BlobName mine = store.blob("mine", 0);
        store.backup(FIRST, store.blob("first", 0));
        store.backup(SECOND, mine);
        store.backup(THIRD, store.blob("third", 0));
        store.before(
                "list " + KEYS.readers(),
                () -> store.before("list " + KEYS.readers(), () -> store.mark(KEYS.trash(SECOND))));
        delete(FIRST);
        assertThat(has(mine)).as("an upload may build on it").isTrue();
        sweep();
        assertThat(has(mine)).isFalse();
        assertThat(Survey.of(store, KEYS).complete()).containsExactly(THIRD);
    }

    @Test
    void a_backup_whose_mark_another_collection_takes_back_stays() throws Exception {
        BlobName mine = store.blob("mine", 0);
        store.backup(FIRST, mine);
        store.backup(SECOND, store.blob("new", 0));
        store.mark(KEYS.trash(FIRST));
        store.before(
                "list " + KEYS.readers(),
                () -> store.before("list " + KEYS.readers(), () -> store.objects.remove(KEYS.trash(FIRST))));
        assertThat(sweep().backups()).isZero();
        assertThat(Survey.of(store, KEYS).complete()).containsExactly(FIRST, SECOND);
        assertThat(has(mine)).isTrue();
    }

    @Test
    void intents_that_a_killed_commit_left_are_deleted_and_its_backup_stays() throws Exception {
        store.backup(FIRST, store.blob("blob", 0));
        store.mark(KEYS.intent(FIRST, NODE));
        store.mark(KEYS.intent(FIRST, NodeName.parse("dc1.node-10")));
        sweep();
        assertThat(store.objects.keySet()).noneMatch(key -> key.startsWith(KEYS.intents()));
        assertThat(Survey.of(store, KEYS).complete()).containsExactly(FIRST);
    }

    @Test
    void what_a_failed_backup_sent_is_deleted() throws Exception {
        store.backup(FIRST, store.blob("blob", 0));
        store.parts(SECOND, store.blob("sent", 0));
        store.mark(KEYS.ok(THIRD));
        assertThat(sweep().kept()).isEqualTo(1);
        assertThat(store.objects.keySet())
                .noneMatch(key -> key.contains(SECOND.value()) || key.contains(THIRD.value()));
        assertThat(has(store.name("sent", 0))).isFalse();
    }

    @Test
    void names_are_compared_whole() throws Exception {
        BlobName kept = store.blob("blob", 1);
        BlobName longer = store.blob("blob", 10);
        store.mark(KEYS.epoch(11));
        store.backup(FIRST, longer);
        store.backup(SECOND, kept);
        List<String> foreign = List.of(
                KEYS.manifest(FIRST) + ".old",
                KEYS.backups() + FIRST + "0.json",
                KEYS.backups() + FIRST + "-copy.ok",
                KEYS.blob(kept) + "0x",
                KEYS.root() + "nodes/" + FIRST + "0/dc1.node-1.json",
                "rides/dc1-1-00ff0/blobs/"
                        + KEYS.blob(longer).substring(KEYS.blobs("").length()));
        foreign.forEach(store::mark);
        delete(FIRST);
        assertThat(has(longer)).isFalse();
        assertThat(has(kept)).isTrue();
        assertThat(store.objects.keySet()).containsAll(foreign);
    }

    /** Nor when it lacks the manifest of a commit that may have seen its intents. */
    @Test
    void a_list_that_lacks_what_it_had_at_the_start_deletes_nothing() throws Exception {
        store.backup(FIRST, store.blob("old", 0));
        store.backup(SECOND, store.blob("mine", 0));
        store.backup(THIRD, store.blob("new", 0));
        BackupId uncommitted = new BackupId("20261124T050000Z-0004");
        store.add(KEYS.manifest(uncommitted), store.parts(uncommitted, store.blob("sent", 0)));
        var before = new TreeSet<>(store.objects.keySet());
        for (String lost : List.of(KEYS.manifest(SECOND), KEYS.ok(SECOND), KEYS.manifest(uncommitted))) {
            store.before(
                    "list " + KEYS.readers(),
                    () -> store.before("list " + KEYS.readers(), () -> store.unlisted = lost::equals));
            assertThatThrownBy(() -> delete(FIRST))
                    .isInstanceOf(CollectException.class)
                    .hasMessageContaining("no blob is deleted, because the list of the backups lacks what it had at the"
                            + " start: " + (lost.contains(SECOND.value()) ? SECOND : uncommitted) + " -> run it again");
            store.unlisted = key -> false;
            store.objects.keySet().removeIf(key -> key.startsWith(KEYS.epochs()));
            assertThat(store.objects.keySet()).isEqualTo(before);
        }
    }

    @Test
    void a_list_that_is_short_from_the_start_deletes_nothing() {
        store.backup(FIRST, store.blob("old", 0));
        store.backup(SECOND, store.blob("mine", 0));
        store.backup(THIRD, store.blob("new", 0));
        var before = new TreeSet<>(store.objects.keySet());
        for (String unlisted : List.of(KEYS.backups() + THIRD, KEYS.ok(SECOND), KEYS.manifest(SECOND))) {
            store.unlisted = key -> key.startsWith(unlisted);
            String backup = unlisted.contains(THIRD.value()) ? THIRD.value() : SECOND.value();
            assertThatThrownBy(() -> delete(FIRST))
                    .isInstanceOf(CollectException.class)
                    .hasMessageContaining(
                            "the list of " + KEYS.backups() + " lacks " + backup + ", which is there -> run it again");
            assertThat(store.objects.keySet()).isEqualTo(before);
        }
    }

    @Test
    void without_a_complete_backup_nothing_is_deleted() {
        store.add(KEYS.manifest(FIRST), store.parts(FIRST, store.blob("sent", 0)));
        store.mark(KEYS.ok(SECOND));
        var before = new TreeSet<>(store.objects.keySet());
        assertThatThrownBy(this::sweep)
                .isInstanceOf(CollectException.class)
                .hasMessageContaining("make a backup first");
        assertThatThrownBy(() -> delete(FIRST)).hasMessageContaining("no complete backup is listed that would stay");
        assertThat(store.objects.keySet()).isEqualTo(before);
    }

    @Test
    void each_collection_has_the_next_epoch_and_leaves_the_newest() throws Exception {
        store.backup(FIRST, store.blob("blob", 0));
        sweep();
        sweep();
        assertThat(store.objects.keySet().stream().filter(key -> key.startsWith(KEYS.epochs())))
                .containsExactly(KEYS.epoch(2));
    }

    @Test
    void the_mark_of_the_deletion_is_the_last_to_go() throws Exception {
        store.backup(FIRST, store.blob("old", 0));
        store.backup(SECOND, store.blob("new", 0));
        delete(FIRST);
        List<String> deletes = store.deletes();
        assertThat(deletes.indexOf(KEYS.ok(FIRST))).isLessThan(deletes.indexOf(KEYS.blob(store.name("old", 0))));
        assertThat(deletes.indexOf(KEYS.manifest(FIRST)))
                .isGreaterThan(deletes.indexOf(KEYS.nodeManifest(FIRST, NODE)))
                .isLessThan(deletes.indexOf(KEYS.trash(FIRST)));
    }

    @Test
    void another_repository_is_refused() {
        store.mark(KEYS.repositoryFile());
        assertThatThrownBy(this::sweep).hasMessageContaining("repo.json is damaged");
        store.objects.remove(KEYS.repositoryFile());
        assertThatThrownBy(this::sweep).hasMessageContaining("repo.json is missing");
    }
}
