package io.ringmaster.transfer;

import io.ringmaster.backup.store.BackupStore;
import java.io.IOException;
import java.nio.file.Path;

/** Opens locations by their names. */
final class OpenedStores {
    private OpenedStores() {}

    static BackupStore open(Path locations, String name) throws IOException {
        throw new IOException("no location '" + name + "' in " + locations);
    }
}
