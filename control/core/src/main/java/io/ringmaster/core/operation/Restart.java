package io.ringmaster.core.operation;

import io.ringmaster.core.assess.Replication;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.step.RestartNode;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Drains and restarts daemons: node by node, or rack by rack where no rack holds two replicas of a range. */
public final class Restart implements Operation {
    private static final String PARALLEL = "parallel";
    private static final String CONSISTENCY = "consistency";
    private static final List<String> LEVELS = List.of("LOCAL_QUORUM", "QUORUM", "EACH_QUORUM");

    @Override
    public String name() {
        return "restart";
    }

    @Override
    public String summary() {
        return "drain and restart daemons, one node at a time";
    }

    @Override
    public Optional<LockScope> lockScope() {
        return Optional.of(LockScope.RING);
    }

    @Override
    public List<Param> params() {
        return NodeSelector.params(
                new Param(
                        PARALLEL,
                        "node|rack",
                        false,
                        "restart one node or one rack at a time; rack only where replication allows it",
                        ParamKind.CHOICE,
                        List.of("node", "rack")),
                new Param(
                        CONSISTENCY,
                        "LEVEL[,LEVEL]",
                        false,
                        "levels at which writes and reads must succeed before the next node; default: LOCAL_QUORUM",
                        ParamKind.CHOICE,
                        LEVELS));
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        return NodeSelector.plan(view, cluster, params, nodes -> plan(view, cluster, params, nodes));
    }

    private static Planned plan(View view, ClusterName cluster, Map<String, String> params, List<NodeRecord> nodes) {
        Replication replication = Replication.of(view, cluster);
        boolean silent = OperationLock.allowsSilentPeers(params);
        String consistency = params.getOrDefault(CONSISTENCY, "LOCAL_QUORUM");
        if (!LEVELS.containsAll(List.of(consistency.split(",", -1)))) {
            return new Planned.Refused(List.of(Problem.field(
                    ErrorCode.REQUEST_INVALID, CONSISTENCY, "'" + consistency + "' must be a list of " + LEVELS)));
        }
        List<String> notes = new ArrayList<>();
        List<Phase> phases;
        switch (params.getOrDefault(PARALLEL, "node")) {
            case "node" -> {
                notes.add(
                        "one node at a time, rack by rack; each drained first and seen NORMAL by all before the next");
                List<NodeRecord> ordered = nodes.stream()
                        .sorted(Comparator.comparing(NodeRecord::rack).thenComparing(NodeRecord::id))
                        .toList();
                phases = List.of(NodeSelector.phase(
                        "restart",
                        Phase.Strategy.SERIAL,
                        ordered,
                        n -> new RestartNode(n.id(), false, silent, consistency)));
            }
            case "rack" -> {
                Optional<String> unsafe = replication.whyNotRackByRack();
                if (unsafe.isPresent()) {
                    return new Planned.Refused(List.of(new Problem(
                            ErrorCode.OPERATION_UNSAFE,
                            PARALLEL,
                            "a whole rack cannot be down: " + unsafe.get(),
                            "leave it out to restart one node at a time")));
                }
                notes.add("rack by rack: no rack holds two replicas of a range");
                phases = byRack(nodes, silent, consistency);
            }
            default -> {
                return new Planned.Refused(List.of(Problem.field(
                        ErrorCode.REQUEST_INVALID, PARALLEL, "'" + params.get(PARALLEL) + "' must be node or rack")));
            }
        }
        notes.addAll(replication.whenOneIsDown());
        notes.add("no data moves; an abort between two nodes loses nothing");
        return NodeSelector.draft(view, cluster, phases, notes);
    }

    private static List<Phase> byRack(List<NodeRecord> nodes, boolean silent, String consistency) {
        Map<RackName, List<NodeRecord>> racks =
                nodes.stream().collect(Collectors.groupingBy(NodeRecord::rack, TreeMap::new, Collectors.toList()));
        return racks.entrySet().stream()
                .map(r -> NodeSelector.phase(
                        "restart " + r.getKey(),
                        Phase.Strategy.PARALLEL,
                        r.getValue(),
                        n -> new RestartNode(n.id(), true, silent, consistency)))
                .toList();
    }
}
