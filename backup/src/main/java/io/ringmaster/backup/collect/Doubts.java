package io.ringmaster.backup.collect;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.store.BackupStore;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whether the lists of a store can be believed. A sweep deletes what no listed backup names, so one list that is short,
 * as that of a store in the middle of a failover may be, would take the data of whole backups. What such a list leaves
 * out must therefore have been left out by all others, too, and be missing when it is asked for.
 */
record Doubts(BackupStore store, RepositoryKeys keys) {
    /** @throws CollectException if the survey leaves out a complete backup that another list has a part of */
    void requireAll(Survey survey) throws IOException, InterruptedException {
        NavigableSet<BackupId> unclear = new TreeSet<>(survey.manifests());
        unclear.addAll(survey.marked());
        new ObjectReader(store).list(keys.nodeManifests(), object -> keys.backupOfNodeManifest(object.key())
                .ifPresent(unclear::add));
        unclear.removeAll(survey.trashed());
        unclear.removeAll(survey.complete());
        for (BackupId backup : unclear) {
            if (store.stat(keys.ok(backup)).isPresent()
                    && store.stat(keys.manifest(backup)).isPresent()) {
                throw new CollectException("nothing is deleted, because the list of " + keys.backups() + " lacks "
                        + backup + ", which is there -> run it again; if it says this each time, the store loses keys");
            }
        }
    }

    /** @throws CollectException if a backup that was listed, and is not being deleted, is not listed any more */
    static void requireSame(Survey before, Survey after, Set<BackupId> trash) throws CollectException {
        NavigableSet<BackupId> lost = new TreeSet<>(before.manifests());
        lost.removeAll(after.manifests());
        NavigableSet<BackupId> unmarked = new TreeSet<>(before.marked());
        unmarked.removeAll(after.marked());
        lost.addAll(unmarked);
        lost.removeAll(trash);
        lost.removeAll(after.trashed()); // of another collection
        if (!lost.isEmpty()) {
            throw new CollectException(
                    "no blob is deleted, because the list of the backups lacks what it had at the start: "
                            + lost.stream().map(BackupId::toString).collect(Collectors.joining(", "))
                            + " -> run it again; if it says this each time, the store loses keys");
        }
    }

    /** @throws CollectException if no complete backup would stay: then all blobs would go */
    static void requireOne(Survey survey, Set<BackupId> trash) throws CollectException {
        NavigableSet<BackupId> kept = survey.complete();
        kept.removeAll(trash);
        if (kept.isEmpty()) {
            throw new CollectException("nothing is deleted, because no complete backup is listed that would stay"
                    + " -> make a backup first; to be rid of all, delete the directory of the cluster at the location");
        }
    }
}
