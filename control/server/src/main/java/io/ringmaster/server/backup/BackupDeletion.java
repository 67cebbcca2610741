package io.ringmaster.server.backup;

import io.ringmaster.backup.collect.Expiry;
import io.ringmaster.backup.collect.Expiry.Refusal;
import io.ringmaster.backup.collect.Readers;
import io.ringmaster.backup.collect.Survey;
import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.Catalogue;
import io.ringmaster.backup.repository.RepositoryKeys;
import io.ringmaster.backup.store.BackupStore;
import io.ringmaster.core.operation.BackupDelete;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.refusal.ProblemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Refuses to delete backups that do not exist or must stay, before a node is asked to; the node checks it again. */
public final class BackupDeletion {
    private final BackupReader reader;
    private final Clock clock;

    public BackupDeletion(BackupReader reader, Clock clock) {
        this.reader = reader;
        this.clock = clock;
    }

    /**
     * Checks all ids at once.
     *
     * @throws ProblemException if one of them is not deleted
     */
    public void require(String location, RepositoryKeys repository, List<String> ids) {
        List<BackupId> backups = ids.stream().map(BackupDeletion::parse).toList();
        List<Problem> problems =
                reader.at(BackupReader.TO, location, store -> problems(store, location, repository, backups));
        if (!problems.isEmpty()) {
            throw ProblemException.of(problems);
        }
    }

    private static BackupId parse(String id) {
        try {
            return new BackupId(id);
        } catch (IllegalArgumentException e) {
            throw ProblemException.of(
                    Problem.field(ErrorCode.REQUEST_INVALID, BackupDelete.BACKUPS, ThrowableText.of(e)));
        }
    }

    private List<Problem> problems(
            BackupStore store, String location, RepositoryKeys repository, List<BackupId> backups)
            throws IOException, InterruptedException {
        List<Problem> problems = new ArrayList<>();
        for (Refusal refusal : Expiry.refused(Survey.of(store, repository), backups)) {
            problems.add(
                    refusal.unknown() ? unknown(store, repository, refusal) : newest(location, repository, refusal));
        }
        for (String read : Readers.fresh(store, repository, clock.now())) {
            problems.add(Problem.of(
                    ErrorCode.CLUSTER_BUSY,
                    "nothing is deleted while a restore is in progress: " + read,
                    Advice.of("wait until the new cluster is created, or delete it, then request this again")));
        }
        return problems;
    }

    private static Problem newest(String location, RepositoryKeys repository, Refusal refusal) {
        return new Problem(
                ErrorCode.OPERATION_UNSAFE,
                BackupDelete.BACKUPS,
                refusal.why(),
                Advice.command("backup create " + repository.cluster() + " --to " + location)
                        .suffix(" makes a newer one"));
    }

    private static Problem unknown(BackupStore store, RepositoryKeys repository, Refusal refusal)
            throws IOException, InterruptedException {
        ClusterName cluster = repository.cluster();
        for (RepositoryKeys other : Catalogue.repositories(store)) {
            boolean former = other.cluster().equals(cluster) && !other.equals(repository);
            if (former && Survey.of(store, other).knows(refusal.backup())) {
                return new Problem(
                        ErrorCode.BACKUP_UNKNOWN,
                        BackupDelete.BACKUPS,
                        refusal.backup() + " is a backup of a former cluster " + cluster,
                        Advice.of("delete " + other.root() + " at the location to delete all its backups"));
            }
        }
        return new Problem(
                ErrorCode.BACKUP_UNKNOWN,
                BackupDelete.BACKUPS,
                refusal.why(),
                Advice.command("backup list " + cluster));
    }
}
