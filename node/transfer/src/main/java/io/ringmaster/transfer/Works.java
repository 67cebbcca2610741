package io.ringmaster.transfer;

import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.model.node.NodeTask.Kind;
import java.util.Map;

/** Which work each kind of task is. */
final class Works {
    @FunctionalInterface
    private interface Factory {
        Work of(TransferRequest request, BackupStore store, TransferProgress progress);
    }

    private static final Map<Kind, Factory> FACTORIES = Map.of(
            Kind.BACKUP_UPLOAD, UploadWork::new,
            Kind.BACKUP_COMMIT, CommitWork::new,
            Kind.BACKUP_CHECK, CheckWork::new,
            Kind.BACKUP_VERIFY, VerifyWork::new,
            Kind.BACKUP_COLLECT, CollectWork::new,
            Kind.RESTORE_FETCH, FetchWork::new);

    private Works() {}

    static Work of(TransferRequest request, BackupStore store, TransferProgress progress) {
        Kind kind = request.task().kind();
        Factory factory = FACTORIES.get(kind);
        if (factory == null) {
            throw new IllegalArgumentException("the transfer program does not do " + kind.label());
        }
        return factory.of(request, store, progress);
    }
}
