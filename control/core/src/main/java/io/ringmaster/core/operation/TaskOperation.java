package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.assess.Irreversible;
import io.ringmaster.core.assess.Replication;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One kind of node task over selected nodes, one node after another. Snapshots are cleared on all nodes at once, so
 * that a node that is down holds up none that needs room.
 *
 * @param lasting the note of the plan on lasting effects
 * @param own parameters besides those that select nodes; the task gets them under the same names
 */
record TaskOperation(
        String name, NodeTask.Kind kind, LockScope needs, String summary, String lasting, List<Operation.Param> own)
        implements Operation {
    static final Param KEYSPACES = new Param(
            RunTask.KEYSPACES,
            "NAME[,NAME]",
            false,
            "only these keyspaces; default: all user keyspaces",
            ParamKind.KEYSPACE);
    static final Param TABLES =
            new Param("tables", "NAME[,NAME]", false, "only these tables; needs exactly one keyspace", ParamKind.TABLE);
    private static final Param JOBS = new Param(
            "jobs",
            "N",
            false,
            "SSTables of a table processed in parallel, up to concurrent_compactors; default: 1",
            ParamKind.NUMBER);

    private static final Param SNAPSHOT = new Param(
            RunTask.SNAPSHOT,
            "true|false",
            false,
            "keep a snapshot of the tables for 3 days, if the disk has room; default: true in preset production",
            ParamKind.FLAG);

    /** The kinds that read SSTables and write them again. */
    private static final Set<NodeTask.Kind> REWRITES = Set.of(
            NodeTask.Kind.COMPACT,
            NodeTask.Kind.CLEANUP,
            NodeTask.Kind.GARBAGE_COLLECT,
            NodeTask.Kind.UPGRADE_SSTABLES);

    static final List<Operation> ALL = List.of(
            new TaskOperation(
                    "flush",
                    NodeTask.Kind.FLUSH,
                    LockScope.NODES,
                    "write memtables to disk",
                    "there is nothing to undo: rows go from memory to disk",
                    List.of(KEYSPACES, TABLES)),
            new TaskOperation(
                    "compact",
                    NodeTask.Kind.COMPACT,
                    LockScope.NODES,
                    "merge all SSTables of each table into one",
                    Irreversible.COMPACT.note(),
                    List.of(KEYSPACES, TABLES)),
            new TaskOperation(
                    "cleanup",
                    NodeTask.Kind.CLEANUP,
                    LockScope.NODES,
                    "drop data that a node no longer owns",
                    Irreversible.CLEANUP.note(),
                    List.of(KEYSPACES, TABLES, JOBS, SNAPSHOT)),
            new TaskOperation(
                    "garbage-collect",
                    NodeTask.Kind.GARBAGE_COLLECT,
                    LockScope.NODES,
                    "drop data that is deleted or overwritten",
                    Irreversible.GARBAGE_COLLECT.note(),
                    List.of(KEYSPACES, TABLES, JOBS)),
            new TaskOperation(
                    "upgradesstables",
                    NodeTask.Kind.UPGRADE_SSTABLES,
                    LockScope.NODES,
                    "rewrite SSTables of an older format",
                    Irreversible.UPGRADE_SSTABLES.note(),
                    List.of(KEYSPACES, TABLES, JOBS)),
            new TaskOperation(
                    NodeTask.Kind.CLEAR_SNAPSHOTS.label(),
                    NodeTask.Kind.CLEAR_SNAPSHOTS,
                    LockScope.NODES,
                    "delete snapshots, to make room on disk",
                    Irreversible.CLEAR_SNAPSHOTS.note(),
                    List.of()),
            new TaskOperation(
                    "drain",
                    NodeTask.Kind.DRAIN,
                    LockScope.RING,
                    "flush one node and take it out of service; a restart brings it back",
                    "no data moves; the node stays out of service until the operation restart brings it back",
                    List.of()));

    @Override
    public Optional<LockScope> lockScope() {
        return Optional.of(needs);
    }

    @Override
    public List<Param> params() {
        return NodeSelector.params(own.toArray(Param[]::new));
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        return NodeSelector.plan(view, cluster, params, nodes -> plan(view, cluster, params, nodes));
    }

    private Planned plan(View view, ClusterName cluster, Map<String, String> params, List<NodeRecord> nodes) {
        if (kind == NodeTask.Kind.DRAIN && nodes.size() > 1) {
            return new Planned.Refused(List.of(new Problem(
                    ErrorCode.OPERATION_UNSAFE,
                    "node",
                    nodes.size() + " nodes of " + view.datacenter() + " would be out of service together",
                    "select one node; to stop all nodes use the operation stop")));
        }
        Optional<Problem> tables = tablesOfOneKeyspace(params).or(() -> unknownKeyspace(view, cluster, params));
        if (tables.isPresent()) {
            return new Planned.Refused(List.of(tables.get()));
        }
        if (!params.getOrDefault("jobs", "1").matches("[1-9]\\d?")) {
            return new Planned.Refused(List.of(Problem.field(
                    ErrorCode.REQUEST_INVALID, "jobs", "'" + params.get("jobs") + "' must be a number from 1 to 99")));
        }
        Map<String, String> taskArgs = new TreeMap<>(
                kind == NodeTask.Kind.CLEANUP
                        ? view.targetSpec(cluster)
                                .map(s -> RunTask.snapshotOfCleanup(s.spec().preset()))
                                .orElse(Map.of())
                        : Map.of());
        own.stream().map(Param::name).filter(params::containsKey).forEach(p -> taskArgs.put(p, params.get(p)));
        Phase phase = NodeSelector.phase(
                name,
                kind == NodeTask.Kind.CLEAR_SNAPSHOTS ? Phase.Strategy.PARALLEL : Phase.Strategy.SERIAL,
                nodes,
                n -> RunTask.requested(n.id(), kind, taskArgs, OperationLock.allowsSilentPeers(params)));
        // a cleanup waits until no node owes a repair: its own plan repairs, so that nothing has to overtake it
        List<Phase> phases = kind == NodeTask.Kind.CLEANUP
                ? List.of(RepairRanges.requested(view, cluster, false), phase)
                : List.of(phase);
        return NodeSelector.draft(view, cluster, phases, notes(view, cluster, nodes));
    }

    /** Tables need exactly one keyspace. */
    static Optional<Problem> tablesOfOneKeyspace(Map<String, String> params) {
        return params.containsKey(TABLES.name())
                        && params.getOrDefault(KEYSPACES.name(), ",").contains(",")
                ? Optional.of(Problem.field(
                        ErrorCode.REQUEST_INVALID, KEYSPACES.name(), "must name the one keyspace of the tables"))
                : Optional.empty();
    }

    /**
     * A keyspace that no node knows. The tasks themselves take a keyspace that is not there for one that was dropped
     * since the request.
     */
    static Optional<Problem> unknownKeyspace(View view, ClusterName cluster, Map<String, String> params) {
        Set<String> known = view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).map(NodeStatus::ring).stream())
                .flatMap(r -> r.keyspaces().stream())
                .map(RingView.KeyspaceSeen::name)
                .collect(Collectors.toCollection(TreeSet::new));
        return known.isEmpty()
                ? Optional.empty()
                : Stream.of(params.getOrDefault(KEYSPACES.name(), "").split(","))
                        .map(String::strip)
                        .filter(k -> !k.isEmpty() && !k.startsWith("system_") && !k.equals("ringmaster"))
                        .filter(k -> !known.contains(k))
                        .findFirst()
                        .map(k -> Problem.field(
                                ErrorCode.REQUEST_INVALID,
                                KEYSPACES.name(),
                                "keyspace '" + k + "' is not there; there are " + known));
    }

    private List<String> notes(View view, ClusterName cluster, List<NodeRecord> nodes) {
        List<String> notes = new ArrayList<>();
        if (kind == NodeTask.Kind.DRAIN) {
            notes.addAll(Replication.of(view, cluster).whenOneIsDown());
            notes.add(lasting);
            return notes;
        }
        if (kind == NodeTask.Kind.CLEAR_SNAPSHOTS) {
            notes.add("all nodes at once; every node keeps serving, and no consistency level is affected");
            notes.add(lasting);
            return notes;
        }
        notes.add("one node after another; every node keeps serving: the only effect on any consistency level is load");
        if (REWRITES.contains(kind)) {
            notes.add("up to " + DataSize.text(view, nodes)
                    + " are read and rewritten, each node on its own disk; it can" + " be aborted at any time");
        }
        notes.add(lasting);
        return notes;
    }
}
