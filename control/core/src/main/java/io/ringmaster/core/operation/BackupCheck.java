package io.ringmaster.core.operation;

import io.ringmaster.core.step.RunTransfer;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.LockScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Each node checks that it reaches a location and may write there. */
final class BackupCheck implements Operation {
    @Override
    public String name() {
        return "backup-check";
    }

    @Override
    public String summary() {
        return "check that every node reaches a location and may write there";
    }

    @Override
    public Optional<LockScope> lockScope() {
        return Optional.of(LockScope.BACKUP);
    }

    @Override
    public List<Param> params() {
        return List.of(BackupParams.TO);
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        var problems = BackupParams.problems(view, cluster, params);
        return problems.isEmpty()
                ? NodeSelector.plan(view, cluster, Map.of(), nodes -> draft(view, cluster, params, nodes))
                : new Planned.Refused(problems);
    }

    private static Planned draft(View view, ClusterName cluster, Map<String, String> params, List<NodeRecord> nodes) {
        Map<String, String> args = BackupParams.transferArgs(view, cluster, params);
        Phase phase = NodeSelector.phase(
                "check",
                Phase.Strategy.PARALLEL,
                nodes.stream().filter(NodeRecord::launched).toList(),
                n -> new RunTransfer(n.id(), NodeTask.Kind.BACKUP_CHECK, args, false));
        return NodeSelector.draft(
                view,
                cluster,
                List.of(phase),
                List.of("each node puts one small object there and reads it back; all that fail are named"));
    }
}
