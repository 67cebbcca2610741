package io.ringmaster.core.operation;

import io.ringmaster.core.step.RunTransfer;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** One node of the first datacenter checks that all that a backup needs is at its location. */
final class BackupVerify implements Operation {
    private static final Param BACKUP = new Param("backup", "ID", true, "the id of the backup", ParamKind.BACKUP);
    private static final Param LEVEL = new Param(
            "level",
            "objects|bytes",
            false,
            "look whether each object is there and has its size, or read it and compare its hash; default: objects",
            ParamKind.CHOICE,
            List.of("objects", "bytes"));

    @Override
    public String name() {
        return "backup-verify";
    }

    @Override
    public String summary() {
        return "check that all that a backup needs is at its location";
    }

    @Override
    public Optional<LockScope> lockScope() {
        return Optional.of(LockScope.BACKUP);
    }

    @Override
    public List<Param> params() {
        return List.of(BackupParams.FROM, BACKUP, LEVEL, BackupParams.BANDWIDTH);
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        var problems = Stream.concat(
                        BackupParams.problems(view, cluster, params, BackupParams.FROM).stream(),
                        BackupParams.notOneOf(params, LEVEL))
                .toList();
        return problems.isEmpty()
                ? NodeSelector.plan(view, cluster, Map.of(), nodes -> draft(view, cluster, params, nodes))
                : new Planned.Refused(problems);
    }

    private static Planned draft(View view, ClusterName cluster, Map<String, String> params, List<NodeRecord> nodes) {
        SpecRecord spec = view.targetSpec(cluster).orElseThrow();
        if (!spec.spec().datacenterNames().get(0).equals(view.datacenter())) {
            return new Planned.NotConcerned(
                    "a node of " + spec.spec().datacenterNames().get(0) + " checks the backup");
        }
        String level = params.getOrDefault(LEVEL.name(), "objects");
        Map<String, String> args = BackupParams.transferArgs(view, cluster, params, BackupParams.FROM);
        args.put(BACKUP.name(), Objects.requireNonNull(params.get(BACKUP.name()), "a required parameter"));
        args.put(LEVEL.name(), level);
        List<NodeRecord> one =
                nodes.stream().filter(NodeRecord::launched).limit(1).toList();
        return NodeSelector.draft(
                view,
                cluster,
                List.of(NodeSelector.phase(
                        "verify",
                        Phase.Strategy.SERIAL,
                        one,
                        n -> new RunTransfer(n.id(), NodeTask.Kind.BACKUP_VERIFY, args, false))),
                List.of(
                        level.equals("bytes")
                                ? "one node reads the whole backup and compares each hash; it writes nothing"
                                : "one node asks for the size of each object and reads no data; it writes nothing",
                        "every node keeps serving"));
    }
}
