package io.ringmaster.backup.collect;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.Epochs;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.slice.BlobTable;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.Content;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Deletes backups, and the blobs that no backup names any more. A collection that was killed is run again as a whole.
 *
 * <p>It runs under the lock of backups, but one that nobody remembers may still run on a node that does not answer, and
 * so may an upload. The order of the steps keeps the blobs of every committed backup nevertheless:
 *
 * <ol>
 *   <li>The new epoch is put, and the marks of deletion: an upload whose intent comes later sees both, so its new blobs
 *       have that epoch, and it builds on no backup that is being deleted.
 *   <li>The intents are deleted: an upload whose intent came earlier is void, unless its manifest was there before.
 *   <li>The manifests are listed and all their blobs read: this one is among them. A list is not believed alone: see
 *       {@link Doubts}.
 *   <li>Only then is anything deleted: no blob of the new epoch, and none that was read.
 * </ol>
 */
public final class Collector {
    /** The most that one request deletes. */
    private static final int BATCH = 1000;

    /** What a collection reports. */
    public interface Progress {
        /** @param text it counts nothing, because the plan is stored at each change */
        void stage(String text);

        /** @param bytes of blobs that are deleted */
        void freed(long bytes);
    }

    private final BackupStore store;
    private final RepositoryKeys keys;
    private final Path directory;
    private final Progress progress;
    private final ObjectReader objects;

    /** @param directory an empty one on disk, for 70 bytes for each blob of each list */
    public Collector(BackupStore store, RepositoryKeys keys, Path directory, Progress progress) {
        this.store = store;
        this.keys = keys;
        this.directory = directory;
        this.progress = progress;
        this.objects = new ObjectReader(store);
    }

    /**
     * Deletes the backups that have expired, and all garbage.
     *
     * @throws CollectException if one of them must stay, a restore reads, no complete backup would be left, or the
     *     blobs of a backup cannot be known; also if two lists of the backups do not agree
     */
    public Collected run(Expiry expiry) throws IOException, InterruptedException {
        progress.stage("lists the backups");
        RepositoryFile.requireOurs(store, keys);
        Survey before = Survey.of(store, keys);
        new Doubts(store, keys).requireAll(before);
        NavigableSet<BackupId> trash = new TreeSet<>(expiry.of(before));
        Doubts.requireOne(before, trash);
        long epoch = Epochs.current(store, keys) + 1;
        put(keys.epoch(epoch));
        Instant now = store.stat(keys.epoch(epoch))
                .orElseThrow(() -> new CollectException("another collection is at work -> run it again"))
                .modified();
        // before the marks, because a restore that is repeated refuses a backup with one
        Readers.requireNone(store, keys, now);
        trash.addAll(new Leftovers(store, keys).of(before, trash, now));
        for (BackupId backup : trash) {
            put(keys.trash(backup));
        }
        List<String> marks = trash.stream()
                .filter(backup -> !before.trashed().contains(backup))
                .map(keys::trash)
                .toList();
        trash.addAll(before.trashed());
        try {
            List<String> parts = parts(before, trash);
            delete(list(keys.intents(), key -> keys.backupOfIntent(key).isPresent()));
            Readers.requireNone(store, keys, now);
            return finish(before, epoch, now, trash, parts);
        } catch (CollectException e) { // nothing was deleted, and the backups can be restored
            delete(marks);
            throw e;
        }
    }

    private Collected finish(Survey before, long epoch, Instant now, NavigableSet<BackupId> trash, List<String> parts)
            throws IOException, InterruptedException {
        Survey after = Survey.of(store, keys);
        Doubts.requireSame(before, after, trash);
        Doubts.requireOne(after, trash);
        trash.retainAll(after.trashed()); // a collection that failed has taken its marks back
        NavigableSet<BackupId> kept = new TreeSet<>(after.manifests());
        // only what was marked before the intents were deleted: an upload may build on what another collection marks
        kept.removeAll(trash);
        BlobNames needed = needed(kept, after);
        progress.stage("deletes what no backup needs");
        delete(keys(trash, keys::ok));
        long[] swept = {0, 0};
        for (String digit : BlobNames.DIGITS) {
            sweep(digit, needed.table(digit), epoch, swept);
        }
        delete(parts.stream()
                .filter(key ->
                        keys.backupOfNodeManifest(key).filter(kept::contains).isEmpty())
                .toList());
        delete(keys(trash, keys::manifest));
        delete(keys(trash, keys::trash));
        delete(list(keys.epochs(), key -> keys.epochOf(key).orElse(epoch) < epoch));
        delete(Readers.stale(store, keys, now));
        kept.retainAll(after.complete());
        return new Collected(trash.size(), swept[0], swept[1], kept.size());
    }

    private BlobNames needed(NavigableSet<BackupId> kept, Survey after) throws IOException, InterruptedException {
        progress.stage("reads which blobs the backups need");
        try (var names = new BlobNames(directory)) {
            var named = new NamedBlobs(store, keys, directory, names);
            for (BackupId backup : kept) {
                if (after.marked().contains(backup)) {
                    named.add(backup);
                } else {
                    named.addUncommitted(backup);
                }
            }
            return names;
        }
    }

    /**
     * The node manifests of backups that are not complete. They are listed before the intents are deleted: one that
     * comes later may belong to a backup that becomes complete.
     */
    private List<String> parts(Survey before, NavigableSet<BackupId> trash) throws IOException, InterruptedException {
        NavigableSet<BackupId> complete = before.complete();
        complete.removeAll(trash);
        return list(keys.nodeManifests(), key -> keys.backupOfNodeManifest(key)
                .filter(backup -> !complete.contains(backup))
                .isPresent());
    }

    private void sweep(String digit, BlobTable needed, long epoch, long[] swept)
            throws IOException, InterruptedException {
        List<String> batch = new ArrayList<>();
        objects.list(keys.blobs(digit), object -> {
            BlobName blob = keys.blobOf(object.key()).orElse(null);
            if (blob == null || blob.epoch() >= epoch || needed.number(blob) >= 0) {
                return;
            }
            batch.add(object.key());
            swept[0]++;
            swept[1] += object.size();
            progress.freed(object.size());
            if (batch.size() == BATCH) {
                store.delete(batch);
                batch.clear();
            }
        });
        delete(batch);
    }

    private void put(String key) throws IOException, InterruptedException {
        store.put(key, Content.empty());
    }

    private void delete(List<String> all) throws IOException, InterruptedException {
        for (int from = 0; from < all.size(); from += BATCH) {
            store.delete(all.subList(from, Math.min(all.size(), from + BATCH)));
        }
    }

    private List<String> list(String prefix, Predicate<String> filter) throws IOException, InterruptedException {
        List<String> found = new ArrayList<>();
        objects.list(prefix, object -> {
            if (filter.test(object.key())) {
                found.add(object.key());
            }
        });
        return found;
    }

    private static List<String> keys(NavigableSet<BackupId> backups, Function<BackupId, String> key) {
        return backups.stream().map(key).toList();
    }
}
