package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.assess.Irreversible;
import io.ringmaster.core.assess.Replication;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.lock.Selection;
import io.ringmaster.core.placement.NodePlacement;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.placement.Replacing;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.step.ReplaceNode;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Replaces one dead node: a node with the same tokens starts elsewhere and streams the data from the other replicas.
 */
public final class Replace implements Operation {
    public static final String NAME = "replace";
    static final String BESIDE_DOWN = "beside_down";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "replace a dead node at another place, with the data of the other replicas";
    }

    @Override
    public Optional<LockScope> lockScope() {
        return Optional.of(LockScope.MEND);
    }

    @Override
    public List<Param> params() {
        return List.of(
                new Param(Selection.NODE, "DC/node-N", true, "the dead node", ParamKind.NODE),
                new Param(
                        BESIDE_DOWN,
                        "true|false",
                        false,
                        "start although other nodes are down: the first step when several died",
                        ParamKind.FLAG));
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        return NodeSelector.plan(view, cluster, params, nodes -> plan(view, cluster, params, nodes));
    }

    private static Planned plan(View view, ClusterName cluster, Map<String, String> params, List<NodeRecord> nodes) {
        if (nodes.size() != 1) {
            return refused("one node must be named, not " + nodes.size(), Advice.command("node replace NODE"));
        }
        NodeRecord node = nodes.get(0);
        if (OperationLock.isStopped(view, cluster)) {
            return refused(cluster + " is stopped", Advice.startCluster(cluster));
        }
        if (node.leaving()) {
            return refused(
                    node.id() + " is leaving the ring",
                    Advice.of("wait until it has left; if another dead node waits for this one, replace that one")
                            .and(" by ", Advice.command("node replace OTHER --beside-down true")));
        }
        if (!node.ownsRanges()) {
            return refused(node.id() + " never joined the ring", Advice.of("retry the deploy that adds it"));
        }
        Optional<String> up = node.joined() ? LostNode.whyUp(view, node) : Optional.empty();
        if (up.isPresent()) {
            return refused(up.get() + "; only a dead node can be replaced", Advice.restartNode(node.id()));
        }
        NodePlacement placement =
                Replacing.place(view, view.targetSpec(cluster).orElseThrow().spec(), node, null);
        List<Problem> unfit = new Placements(List.of(placement)).problems();
        if (!unfit.isEmpty()) {
            return new Planned.Refused(unfit);
        }
        Phase phase = NodeSelector.phase(
                "replace",
                Phase.Strategy.SERIAL,
                nodes,
                n -> new ReplaceNode(n.id(), Boolean.parseBoolean(params.get(BESIDE_DOWN))));
        List<Phase> phases = List.of(phase, RepairRanges.requested(view, cluster, true));
        return NodeSelector.draft(view, cluster, phases, notes(view, cluster, node, placement));
    }

    private static List<String> notes(View view, ClusterName cluster, NodeRecord node, NodePlacement placement) {
        List<String> notes = new ArrayList<>();
        notes.add(node.id().shortName()
                + placement.chosen().map(a -> " on " + a.machine() + ": ").orElse(" waits for ")
                + placement.why());
        notes.add("it streams its ranges from the other replicas, about " + DataSize.averageOfOthers(view, node)
                + " (their average), then serves; its old volume "
                + node.allocation().id() + " on " + node.allocation().machine() + " is kept and not used");
        notes.addAll(Replication.of(view, cluster).lostWithOne());
        notes.add("the other nodes keep serving: the only effect on any consistency level is load");
        notes.add("each range is streamed from one replica; then the node repairs its ranges with all replicas");
        notes.add(Irreversible.REPLACE.note());
        return notes;
    }

    private static Planned refused(String why, Advice next) {
        return new Planned.Refused(List.of(new Problem(ErrorCode.OPERATION_UNSAFE, Selection.NODE, why, next)));
    }
}
