package io.ringmaster.core.operation;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.lock.Selection;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** An operation in which selected nodes, one after another, use the data of another datacenter. */
abstract class FromDatacenter implements Operation {
    private static final String FROM = "from";

    private final NodeTask.Kind kind;

    FromDatacenter(NodeTask.Kind kind) {
        this.kind = kind;
    }

    /** The notes of the plan. */
    abstract List<String> notes(View view, ClusterName cluster, DatacenterName from);

    /** The last phase of the plan. */
    Optional<Phase> afterwards(View view, ClusterName cluster) {
        return Optional.empty();
    }

    @Override
    public final String name() {
        return kind.label();
    }

    @Override
    public final Optional<LockScope> lockScope() {
        return Optional.of(LockScope.NODES);
    }

    @Override
    public final List<Param> params() {
        return NodeSelector.params(
                new Param(FROM, "DC", true, "the datacenter that has the data", ParamKind.DATACENTER),
                new Param(
                        TaskOperation.KEYSPACES.name(),
                        TaskOperation.KEYSPACES.form(),
                        false,
                        "only these keyspaces; default: all that have replicas in both datacenters",
                        ParamKind.KEYSPACE));
    }

    @Override
    public final Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        return unfit(view, cluster, params)
                .<Planned>map(p -> new Planned.Refused(List.of(p)))
                .orElseGet(() -> NodeSelector.plan(view, cluster, params, nodes -> plan(view, cluster, params, nodes)));
    }

    /** Checks parameters that every server checks the same way, whichever nodes it has. */
    private static Optional<Problem> unfit(View view, ClusterName cluster, Map<String, String> params) {
        List<DatacenterName> known =
                view.targetSpec(cluster).map(s -> s.spec().datacenterNames()).orElse(List.of());
        if (known.isEmpty()) {
            return Optional.empty(); // NodeSelector reports it
        }
        Optional<DatacenterName> source =
                known.stream().filter(d -> d.value().equals(params.get(FROM))).findFirst();
        if (source.isEmpty()) {
            return Optional.of(Problem.field(
                    ErrorCode.DATACENTER_UNKNOWN,
                    FROM,
                    "'" + params.get(FROM) + "' is not a datacenter of " + cluster + ", allowed: " + known));
        }
        try {
            return Selection.of(cluster, params).concerns(source.get())
                    ? Optional.of(new Problem(
                            ErrorCode.REQUEST_INVALID,
                            FROM,
                            "nodes of " + source.get() + ", the source itself, are selected",
                            "select nodes of other datacenters with dc or node"))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // NodeSelector reports it
        }
    }

    private Planned plan(View view, ClusterName cluster, Map<String, String> params, List<NodeRecord> nodes) {
        Map<String, String> taskArgs = new TreeMap<>(params);
        taskArgs.keySet().retainAll(List.of(FROM, TaskOperation.KEYSPACES.name()));
        boolean allowSilentPeers = OperationLock.allowsSilentPeers(params);
        List<Phase> phases = new ArrayList<>();
        phases.add(NodeSelector.phase(
                name(),
                Phase.Strategy.SERIAL,
                nodes,
                n -> RunTask.requested(n.id(), kind, taskArgs, allowSilentPeers)));
        afterwards(view, cluster).ifPresent(phases::add);
        String from = Objects.requireNonNull(params.get(FROM), "a request without a source is refused before");
        return NodeSelector.draft(view, cluster, phases, notes(view, cluster, new DatacenterName(from)));
    }
}
