package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Removes the records of a deleted cluster. It keeps the record that the newest version is deleted, for peers that
 * were away.
 */
public record ForgetCluster(ClusterName cluster) implements Step {
    @Override
    public String name() {
        return "forget " + cluster;
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null) {
            return new Verdict.Done(List.of(), "already forgotten");
        }
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.Put(record.gone(view.now(), view.incarnation(cluster))));
        view.versions(cluster).values().stream()
                .filter(s -> s.version() != record.targetSpecVersion())
                .forEach(s -> changes.add(new Change.Remove(s.key())));
        return new Verdict.Done(changes, "deleted here");
    }
}
