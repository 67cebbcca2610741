package io.ringmaster.backup.collect;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.store.BackupStore;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The backups of a repository at one time.
 *
 * @param manifests those with a manifest of the cluster
 * @param marked those with a commit mark
 * @param trashed those that are being deleted
 */
public record Survey(NavigableSet<BackupId> manifests, NavigableSet<BackupId> marked, NavigableSet<BackupId> trashed) {
    public static Survey of(BackupStore store, RepositoryKeys keys) throws IOException, InterruptedException {
        var survey = new Survey(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        var reader = new ObjectReader(store);
        reader.list(keys.backups(), object -> {
            keys.manifestOf(object.key()).ifPresent(survey.manifests::add);
            keys.okOf(object.key()).ifPresent(survey.marked::add);
        });
        reader.list(keys.trashes(), object -> keys.trashOf(object.key()).ifPresent(survey.trashed::add));
        return survey;
    }

    /** Those that can be restored. */
    public NavigableSet<BackupId> complete() {
        var complete = new TreeSet<>(manifests);
        complete.retainAll(marked);
        complete.removeAll(trashed);
        return complete;
    }

    /** Whether anything of the backup is listed. */
    public boolean knows(BackupId backup) {
        return manifests.contains(backup) || marked.contains(backup) || trashed.contains(backup);
    }
}
