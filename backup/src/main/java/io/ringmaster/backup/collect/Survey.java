package io.ringmaster.backup.collect;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.store.BackupStore;
import java.io.IOException;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The backups of a repository at one time.
 *
 * @param manifests those with a manifest of the cluster
 * @param marked those with a commit mark
 * @param trashed those that are being deleted
 * @param latest when the newest of their objects was put, by the clock of the store
 */
public record Survey(
        NavigableSet<BackupId> manifests,
        NavigableSet<BackupId> marked,
        NavigableSet<BackupId> trashed,
        Instant latest) {
    public static Survey of(BackupStore store, RepositoryKeys keys) throws IOException, InterruptedException {
        NavigableSet<BackupId> manifests = new TreeSet<>();
        NavigableSet<BackupId> marked = new TreeSet<>();
        NavigableSet<BackupId> trashed = new TreeSet<>();
        Instant[] latest = {Instant.EPOCH};
        var reader = new ObjectReader(store);
        reader.list(keys.backups(), object -> {
            keys.manifestOf(object.key()).ifPresent(manifests::add);
            keys.okOf(object.key()).ifPresent(marked::add);
            latest[0] = object.modified().isAfter(latest[0]) ? object.modified() : latest[0];
        });
        reader.list(keys.trashes(), object -> keys.trashOf(object.key()).ifPresent(trashed::add));
        return new Survey(manifests, marked, trashed, latest[0]);
    }

    /** Those that can be restored. */
    public NavigableSet<BackupId> complete() {
        var complete = new TreeSet<>(manifests);
        complete.retainAll(marked);
        complete.removeAll(trashed);
        return complete;
    }

    /** The newest that can be restored. One whose id is of the future is it only if all are. */
    public Optional<BackupId> newest() {
        return BackupId.newest(complete(), latest);
    }

    /** Whether anything of the backup is listed. */
    public boolean knows(BackupId backup) {
        return manifests.contains(backup) || marked.contains(backup) || trashed.contains(backup);
    }
}
