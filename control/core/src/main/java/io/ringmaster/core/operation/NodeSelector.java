package io.ringmaster.core.operation;

import io.ringmaster.core.lock.DatacenterOrder;
import io.ringmaster.core.lock.Selection;
import io.ringmaster.core.operation.Operation.Param;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.ParamKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** The parameters that select nodes, and the refusals that operations over selected nodes share. */
final class NodeSelector {
    static final List<Param> PARAMS = List.of(
            new Param(Selection.DATACENTER, "DC[,DC]", false, "only nodes of these datacenters", ParamKind.DATACENTER),
            new Param(Selection.RACK, "RACK[,RACK]", false, "only nodes of these racks", ParamKind.RACK),
            new Param(Selection.NODE, "DC/node-N[,...]", false, "only these nodes", ParamKind.NODE));

    private NodeSelector() {}

    /** The parameters that select nodes, then those of the operation. */
    static List<Param> params(Param... own) {
        List<Param> all = new ArrayList<>(PARAMS);
        all.addAll(List.of(own));
        return List.copyOf(all);
    }

    /** The plan over the selected nodes of this datacenter, if there are any. */
    static Planned plan(
            View view, ClusterName cluster, Map<String, String> params, Function<List<NodeRecord>, Planned> overNodes) {
        Optional<Problem> unfit = unfit(view, cluster);
        if (unfit.isPresent()) {
            return new Planned.Refused(List.of(unfit.get()));
        }
        Selection selection;
        try {
            selection = Selection.of(cluster, params);
        } catch (IllegalArgumentException e) {
            return new Planned.Refused(List.of(Problem.of(ErrorCode.REQUEST_INVALID, ThrowableText.of(e))));
        }
        List<Problem> unknown = unknown(view, selection);
        if (!unknown.isEmpty()) {
            return new Planned.Refused(unknown);
        }
        List<NodeRecord> nodes = selection.in(view);
        return nodes.isEmpty()
                ? new Planned.NotConcerned("no node of " + view.datacenter() + " is selected")
                : overNodes.apply(nodes);
    }

    /** A plan of these phases at the target version of the cluster. */
    static Planned.Draft draft(View view, ClusterName cluster, List<Phase> phases, List<String> notes) {
        return new Planned.Draft(
                Objects.requireNonNull(view.clusters().get(cluster), "an unknown cluster is refused before")
                        .targetSpecVersion(),
                List.of(),
                phases.stream().filter(p -> !p.steps().isEmpty()).toList(),
                notes);
    }

    static Phase phase(String name, Phase.Strategy strategy, List<NodeRecord> nodes, Function<NodeRecord, Step> step) {
        return new Phase(
                name, strategy, nodes.stream().map(step).map(Steps::pending).toList());
    }

    /** Why no operation can be requested of the cluster now. */
    private static Optional<Problem> unfit(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || record.deleting() || view.targetSpec(cluster).isEmpty()) {
            return Optional.of(Problem.of(ErrorCode.CLUSTER_UNKNOWN, "no cluster '" + cluster + "' is declared here"));
        }
        return Seeds.created(view, cluster)
                ? Optional.empty()
                : Optional.of(Problem.of(
                        ErrorCode.CLUSTER_BUSY,
                        cluster + " is being created: its nodes were not all NORMAL at the same time yet",
                        Advice.command("plan show " + cluster + " --wait")));
    }

    private static List<Problem> unknown(View view, Selection selection) {
        SpecRecord spec = view.targetSpec(selection.cluster()).orElseThrow();
        List<DatacenterName> known = DatacenterOrder.of(view, spec);
        List<Problem> problems = new ArrayList<>();
        selection.datacenters().stream()
                .filter(d -> !known.contains(d))
                .forEach(d -> problems.add(Problem.field(
                        ErrorCode.DATACENTER_UNKNOWN,
                        Selection.DATACENTER,
                        "'" + d + "' is not a datacenter of " + selection.cluster() + ", allowed: " + known)));
        for (NodeId node : selection.nodes()) {
            boolean here = node.datacenter().equals(view.datacenter());
            if (!known.contains(node.datacenter()) || (here && !view.nodes().containsKey(node))) {
                problems.add(Problem.field(ErrorCode.NODE_UNKNOWN, Selection.NODE, "there is no node " + node));
            }
        }
        return problems;
    }
}
