package io.ringmaster.backup.repository;

import io.ringmaster.backup.store.BackupStore;
import java.io.IOException;

/** The epoch of a repository: the number of its newest collection. */
public final class Epochs {
    private Epochs() {}

    /** @return 0 before the first collection */
    public static long current(BackupStore store, RepositoryKeys keys) throws IOException, InterruptedException {
        long[] highest = {0};
        new ObjectReader(store)
                .list(
                        keys.epochs(),
                        object -> highest[0] =
                                Math.max(highest[0], keys.epochOf(object.key()).orElse(0)));
        return highest[0];
    }
}
