package io.ringmaster.transfer;

import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.model.node.NodeTask.Kind;
import java.util.Map;

/** Which work each kind of task is. */
public final class Works {
    @FunctionalInterface
    private interface Factory {
        Work of(TransferRequest request, BackupStore store, TransferProgress progress);
    }

    /** Of works that move files. */
    @FunctionalInterface
    private interface MoverFactory {
        Work of(TransferRequest request, BackupStore store, TransferProgress progress, TransferMachine machine);
    }

    private static final Map<Kind, MoverFactory> MOVERS =
            Map.of(Kind.BACKUP_UPLOAD, UploadWork::new, Kind.RESTORE_FETCH, FetchWork::new);

    private static final Map<Kind, Factory> FACTORIES = Map.of(
            Kind.BACKUP_COMMIT, CommitWork::new,
            Kind.BACKUP_CHECK, CheckWork::new,
            Kind.BACKUP_VERIFY, VerifyWork::new,
            Kind.BACKUP_COLLECT, CollectWork::new);

    private Works() {}

    /** @throws IllegalArgumentException if the kind of task is none of this program */
    public static Work of(
            TransferRequest request, BackupStore store, TransferProgress progress, TransferMachine machine) {
        Kind kind = request.task().kind();
        MoverFactory mover = MOVERS.get(kind);
        if (mover != null) {
            return mover.of(request, store, progress, machine);
        }
        Factory factory = FACTORIES.get(kind);
        if (factory == null) {
            throw new IllegalArgumentException("the transfer program does not do " + kind.label());
        }
        return factory.of(request, store, progress);
    }
}
