package io.ringmaster.transfer;

import io.ringmaster.backup.location.LocationDirectory;
import io.ringmaster.backup.location.LocationException;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.backup.store.RetryingStore;
import io.ringmaster.backup.store.StoreOpener;
import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Opens locations by their names. */
final class OpenedStores {
    /** An outage of an hour must not cost a backup. */
    private static final Duration PATIENCE = Duration.ofHours(6);

    private OpenedStores() {}

    /** @param locations the directory of the files of locations */
    static BackupStore open(Path locations, String name) throws IOException {
        try {
            var directory = new LocationDirectory(locations);
            return new RetryingStore(StoreOpener.open(directory.location(name)), PATIENCE);
        } catch (LocationException e) {
            throw new TransferFailure(ThrowableText.of(e));
        }
    }
}
