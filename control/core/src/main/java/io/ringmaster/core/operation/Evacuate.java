package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.assess.Replication;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.placement.NodePlacement;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.placement.Replacing;
import io.ringmaster.core.step.EvacuateNode;
import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Moves a cluster's nodes off one machine, one at a time. Each node is stopped and replaced elsewhere with its tokens:
 * a node that joins before the old one leaves would move its data twice and get another index. Before the move, a
 * repair sends the node's rows to replicas that lack them: the replacement streams each range from one replica, and a
 * row that only one replica has is not read at LOCAL_QUORUM.
 */
public final class Evacuate implements Operation {
    static final String MACHINE = "machine";
    private static final String SKIP_REPAIR = "skip_repair";

    @Override
    public String name() {
        return "evacuate";
    }

    @Override
    public String summary() {
        return "move the nodes on one machine to others, one after another";
    }

    @Override
    public Optional<LockScope> lockScope() {
        return Optional.of(LockScope.RING);
    }

    @Override
    public List<Param> params() {
        return List.of(
                new Param(MACHINE, "DC/MACHINE", true, "the machine to evacuate; it is cordoned", ParamKind.MACHINE),
                new Param(
                        SKIP_REPAIR,
                        "true|false",
                        false,
                        "skip the repair before the move; safe only where every replica has every row",
                        ParamKind.FLAG));
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        String[] parts = params.getOrDefault(MACHINE, "").split("/", -1);
        DatacenterName datacenter;
        MachineName machine;
        try {
            datacenter = new DatacenterName(parts[0]);
            machine = new MachineName(parts[parts.length - 1]);
        } catch (IllegalArgumentException e) {
            return refused(ErrorCode.REQUEST_INVALID, ThrowableText.of(e), Advice.of("such as dc1/machine-2"));
        }
        if (parts.length != 2) {
            return refused(
                    ErrorCode.REQUEST_INVALID,
                    "'" + params.get(MACHINE) + "' must be DATACENTER/MACHINE",
                    Advice.of("such as dc1/machine-2"));
        }
        return datacenter.equals(view.datacenter())
                ? NodeSelector.plan(view, cluster, Map.of(), nodes -> plan(view, cluster, machine, params, nodes))
                : new Planned.NotConcerned(datacenter + "/" + machine + " is not in " + view.datacenter());
    }

    private static Planned plan(
            View view, ClusterName cluster, MachineName machine, Map<String, String> params, List<NodeRecord> all) {
        List<NodeRecord> nodes = all.stream()
                .filter(n -> n.allocation().machine().equals(machine))
                .toList();
        if (nodes.isEmpty()) {
            return new Planned.NotConcerned("no node of " + cluster + " is on " + machine);
        }
        if (OperationLock.isStopped(view, cluster)) {
            return refused(ErrorCode.CLUSTER_BUSY, cluster + " is stopped", Advice.startCluster(cluster));
        }
        Optional<String> loss = all.size() == 1
                ? Optional.of("it is the only node of " + cluster + " in " + view.datacenter())
                : Replication.of(view, cluster).whyNotWithoutOne();
        if (loss.isPresent()) {
            return refused(
                    ErrorCode.OPERATION_UNSAFE,
                    loss.get(),
                    Advice.of("nothing was changed; first add nodes and replicas, then repair"));
        }
        List<NodePlacement> placements = nodes.stream()
                .map(n -> Replacing.place(
                        view, view.targetSpec(cluster).orElseThrow().spec(), n, machine))
                .toList();
        List<Problem> unfit = new Placements(placements).problems();
        if (!unfit.isEmpty()) {
            return new Planned.Refused(unfit);
        }
        boolean silent = OperationLock.allowsSilentPeers(params);
        List<NodeRecord> repaired = Boolean.parseBoolean(params.get(SKIP_REPAIR))
                ? List.of()
                : nodes.stream().filter(n -> isNormal(view, n)).toList();
        List<Phase> phases = List.of(
                NodeSelector.phase(
                        Repair.NAME, Phase.Strategy.SERIAL, repaired, n -> Repair.ofReplicaRanges(view, n, silent)),
                NodeSelector.phase(
                        "evacuate", Phase.Strategy.SERIAL, nodes, n -> new EvacuateNode(n.id(), machine, silent)),
                RepairRanges.requested(view, cluster, false));
        Planned.Draft draft = NodeSelector.draft(
                view, cluster, phases, notes(view, cluster, placements, repaired.size() == nodes.size()));
        return new Planned.Draft(draft.specVersion(), cordon(view, machine), draft.phases(), draft.notes());
    }

    /** A node that is lost has no rows to send: it is only replaced. */
    private static boolean isNormal(View view, NodeRecord node) {
        return view.status(node.id())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .isPresent();
    }

    /** Keeps new nodes off the machine; a cordon that the user set keeps its reason. */
    private static List<Change> cordon(View view, MachineName machine) {
        return Stream.ofNullable(view.machines().get(machine))
                .filter(m -> !m.cordoned())
                .<Change>map(m -> new Change.Put(new CordonRecord(machine, "is being evacuated")))
                .toList();
    }

    private static List<String> notes(
            View view, ClusterName cluster, List<NodePlacement> placements, boolean repaired) {
        List<String> notes = new ArrayList<>();
        placements.forEach(p -> notes.add(p.node().shortName()
                + p.chosen().map(a -> " to " + a.machine() + ": ").orElse(" waits for ") + p.why() + "; it holds "
                + DataSize.text(
                        view, Objects.requireNonNull(view.nodes().get(p.node()), "only nodes with a record move"))));
        notes.add("each is drained and stopped, then streams its ranges from the other replicas at its new place;"
                + " its old volume is kept");
        notes.addAll(Replication.of(view, cluster).whenOneIsDown());
        notes.add(
                repaired
                        ? "its ranges are repaired within the datacenter first: each is then streamed from one replica"
                                + " that has every row of the node"
                        : "each range is streamed from one replica, which may lack rows that only this node has");
        notes.add("at its new place each repairs its ranges with all replicas");
        notes.add("until a node has its new place, an abort starts it again where it was; after that the move cannot be"
                + " undone");
        return notes;
    }

    private static Planned refused(ErrorCode code, String why, Advice next) {
        return new Planned.Refused(List.of(new Problem(code, MACHINE, why, next)));
    }
}
