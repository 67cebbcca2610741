package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeTask;
import java.util.List;
import java.util.Map;

/**
 * One node deletes backups, and what no backup needs any more.
 *
 * @param transferArgs the arguments of the transfer, see {@link NodeTask#args}
 * @param afterBackup whether this follows a backup, which counts although nothing could be deleted
 */
public record CollectBackups(
        ClusterName cluster, Map<String, String> transferArgs, @StepCodec.OmittedWhenFalse boolean afterBackup)
        implements Step {
    public CollectBackups {
        transferArgs = Map.copyOf(transferArgs);
    }

    @Override
    public String name() {
        return afterBackup ? "retain" : "delete";
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        Verdict verdict =
                new AnyNodeTransfer(cluster, NodeTask.Kind.BACKUP_COLLECT, transferArgs).next(view, budget, memory);
        return afterBackup && verdict instanceof Verdict.GivenUp failed
                ? new Verdict.Done(
                        List.of(),
                        "the backup is complete, but the older ones stay: "
                                + failed.problem().message())
                : verdict;
    }
}
