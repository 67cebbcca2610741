package io.ringmaster.backup.collect;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.DamagedException;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.store.BackupStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Backups that nothing completes. */
record Leftovers(BackupStore store, RepositoryKeys keys) {
    /**
     * Old manifests without mark and without intents, and marks without manifest.
     *
     * @param trash backups that are deleted even if their blobs cannot be known
     * @param now by the clock of the store
     * @throws CollectException if a mark has lost its manifest
     */
    List<BackupId> of(Survey before, Set<BackupId> trash, Instant now) throws IOException, InterruptedException {
        List<BackupId> leftovers = unmarked(before, now);
        for (BackupId backup : before.marked()) {
            if (!trash.contains(backup) && isBare(before, backup)) {
                leftovers.add(backup);
            }
        }
        return leftovers;
    }

    private List<BackupId> unmarked(Survey before, Instant now) throws IOException, InterruptedException {
        // listed after the manifests: a commit deletes its intents after it has put its mark
        Set<BackupId> intended = new TreeSet<>();
        new ObjectReader(store).list(keys.intents(), object -> keys.backupOfIntent(object.key())
                .ifPresent(intended::add));
        List<BackupId> unmarked = new ArrayList<>();
        for (BackupId backup : before.manifests()) {
            boolean open = !before.marked().contains(backup) && !intended.contains(backup);
            // a commit that saw its intents before another collection deleted them may be about to put its mark
            if (open
                    && isOld(keys.manifest(backup), now)
                    && store.stat(keys.ok(backup)).isEmpty()) {
                unmarked.add(backup);
            }
        }
        return unmarked;
    }

    private boolean isOld(String key, Instant now) throws IOException, InterruptedException {
        return store.stat(key).filter(object -> !Readers.isFresh(object, now)).isPresent();
    }

    /**
     * Whether it is a mark alone. A commit that comes too late puts one: the collection that deleted its manifest had
     * deleted the node manifests before.
     */
    private boolean isBare(Survey before, BackupId backup) throws IOException, InterruptedException {
        String manifest = keys.manifest(backup);
        if (before.manifests().contains(backup)
                || before.trashed().contains(backup)
                || store.stat(manifest).isPresent()) {
            return false;
        }
        if (!store.list(keys.nodeManifests(backup), null, 1).isEmpty()) {
            throw NamedBlobs.unreadable(
                    backup, new DamagedException(manifest + " is missing, but its .ok is there: somebody moved it"));
        }
        return true;
    }
}
