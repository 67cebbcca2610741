package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.StepState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One node deletes backups, and what no backup needs any more.
 *
 * @param transferArgs the arguments of the transfer, see {@link NodeTask#args}
 * @param afterBackup whether this follows a backup, which counts although nothing could be deleted
 */
public record CollectBackups(
        ClusterName cluster, Map<String, String> transferArgs, @StepCodec.OmittedWhenFalse boolean afterBackup)
        implements Step {
    private static final String WHY_KEPT = "why_kept";

    public CollectBackups {
        transferArgs = Map.copyOf(transferArgs);
    }

    @Override
    public String name() {
        return afterBackup ? "retain" : "delete";
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        String kept = memory.get(WHY_KEPT);
        if (kept != null) {
            return new Verdict.Done(List.of(), text(kept));
        }
        Verdict verdict =
                new AnyNodeTransfer(cluster, NodeTask.Kind.BACKUP_COLLECT, transferArgs).next(view, budget, memory);
        if (!afterBackup || !(verdict instanceof Verdict.GivenUp failed)) {
            return verdict;
        }
        // remembered, because nobody reads the plan of a backup that is complete: it is a finding
        String why = failed.problem().message();
        Map<String, String> remembered = new TreeMap<>(memory);
        remembered.put(WHY_KEPT, why);
        return new Verdict.Do(List.of(), List.of(), text(why), remembered);
    }

    private static String text(String why) {
        return "the backup is complete, but the older ones stay: " + why;
    }

    /** Why a step that is done deleted nothing; empty if it did what it was asked. */
    public static Optional<String> whyKept(StepState step) {
        return Optional.ofNullable(step.memory().get(WHY_KEPT));
    }
}
