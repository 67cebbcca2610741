package io.ringmaster.backup.collect;

import io.ringmaster.backup.repository.ObjectReader;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.ObjectInfo;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The nodes that read backups of a repository, for restores, and the new clusters whose nodes are yet to read. */
public final class Readers {
    /** Who reads renews its mark every day; who does not is gone. */
    private static final Duration FRESH = Duration.ofDays(7);

    private Readers() {}

    /**
     * Those that read: {@code rides2.dc1.node-0 reads 20261124T040000Z-3f9c since 2026-11-24T05:00:00Z; if it is gone,
     * its mark expires at 2026-12-01T05:00:00Z}.
     *
     * @param now by the clock of the store
     */
    public static List<String> fresh(BackupStore store, RepositoryKeys keys, Instant now)
            throws IOException, InterruptedException {
        List<String> fresh = new ArrayList<>();
        new ObjectReader(store).list(keys.readers(), object -> {
            if (isFresh(object, now)) {
                String[] names = object.key().substring(keys.readers().length()).split("/", 2);
                fresh.add(names[names.length - 1] + " reads " + names[0] + " since " + object.modified()
                        + "; if it is gone, its mark expires at "
                        + object.modified().plus(FRESH));
            }
        });
        return fresh;
    }

    /** Whether the process that put the object may still be at work. */
    static boolean isFresh(ObjectInfo object, Instant now) {
        return !object.modified().isBefore(now.minus(FRESH));
    }

    /** The marks of nodes that read no more. */
    static List<String> stale(BackupStore store, RepositoryKeys keys, Instant now)
            throws IOException, InterruptedException {
        List<String> stale = new ArrayList<>();
        new ObjectReader(store).list(keys.readers(), object -> {
            if (!isFresh(object, now)) {
                stale.add(object.key());
            }
        });
        return stale;
    }

    /** @throws CollectException naming the nodes that read */
    static void requireNone(BackupStore store, RepositoryKeys keys, Instant now)
            throws IOException, InterruptedException {
        List<String> fresh = fresh(store, keys, now);
        if (!fresh.isEmpty()) {
            throw new CollectException("nothing is deleted while a restore is in progress: " + String.join("; ", fresh)
                    + " -> wait until the new cluster is created, or delete it, then run it again");
        }
    }
}
