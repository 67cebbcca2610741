package io.ringmaster.core.operation;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.operation.Operation.Param;
import io.ringmaster.core.step.CommitBackup;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.request.ParamKind;
import java.util.Map;
import java.util.Optional;

/** The parameter that names one snapshot to clear. */
final class SnapshotTag {
    static final Param PARAM = new Param(
            "tag",
            "NAME",
            false,
            "only the snapshots of this name; default: all except those of backups and repairs",
            ParamKind.SNAPSHOT);

    /** How the names of snapshots that backups take start; the id of the backup follows. */
    private static final String OF_BACKUP = "ringmaster-";

    private SnapshotTag() {}

    /** Why the named snapshot must not be cleared: a backup that is not over sends its files. */
    static Optional<Problem> problem(View view, ClusterName cluster, Map<String, String> params) {
        String tag = params.get(PARAM.name());
        if (tag == null) {
            return Optional.empty();
        }
        if (tag.isBlank()) {
            return Optional.of(Problem.field(
                    ErrorCode.REQUEST_INVALID, PARAM.name(), "must be the name of a snapshot, or be left out"));
        }
        return OperationLock.known(view, cluster).stream()
                .filter(r -> r.operation().equals(Backup.NAME)
                        && tag.equals(OF_BACKUP + r.params().get(CommitBackup.ID)))
                .filter(r -> OperationLock.unfinished(view, r, false).isPresent())
                .findFirst()
                .map(r -> new Problem(
                        ErrorCode.OPERATION_UNSAFE,
                        PARAM.name(),
                        "'" + tag + "' is the snapshot of " + r.title()
                                + ", which is not over and removes it at its end",
                        Advice.operationStatus(cluster)));
    }
}
