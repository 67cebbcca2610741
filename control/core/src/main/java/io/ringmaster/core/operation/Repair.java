package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.spec.Age;
import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Makes replicas consistent: each node repairs its primary ranges (those that it is the first replica of), one node
 * after another, so that every range is repaired once. It never runs in two datacenters of a cluster at the same time.
 */
public final class Repair implements Operation {
    public static final String NAME = "repair";
    public static final String INTENSITY = "intensity";
    public static final String MAX_AGE = "max_age";
    private static final String SEGMENTS = "segments";
    private static final String PARALLELISM = "parallelism";
    /** Names the request: a node leaves out what it has repaired for it. One of a former release compares the time. */
    private static final String UNLESS_AFTER = "unless_after";

    private static final List<String> PARALLELISMS = List.of("sequential", "parallel", "dc_parallel");
    private static final int MAX_SEGMENTS = 4096;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "make replicas consistent, node by node, range by range";
    }

    @Override
    public Optional<LockScope> lockScope() {
        return Optional.of(LockScope.REPAIR);
    }

    @Override
    public List<Param> params() {
        return NodeSelector.params(
                TaskOperation.KEYSPACES,
                TaskOperation.TABLES,
                new Param(
                        INTENSITY,
                        "0.1-1",
                        false,
                        "share of time at work: 0.5 pauses after each range for as long as it took; default: 1",
                        ParamKind.NUMBER),
                new Param(
                        SEGMENTS,
                        "N",
                        false,
                        "least segments per node and keyspace; default: one per 64 MiB",
                        ParamKind.NUMBER),
                new Param(
                        PARALLELISM,
                        "sequential|parallel|dc_parallel",
                        false,
                        "which replicas validate at the same time; default: dc_parallel, one per datacenter",
                        ParamKind.CHOICE,
                        PARALLELISMS),
                new Param(
                        RunTask.WITHIN_DATACENTER,
                        "true|false",
                        false,
                        "compare only replicas of one datacenter",
                        ParamKind.FLAG),
                new Param(
                        MAX_AGE,
                        "30m|12h|7d",
                        false,
                        "skip ranges that were repaired within this time",
                        ParamKind.DURATION));
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        List<Problem> problems = problems(params);
        TaskOperation.unknownKeyspace(view, cluster, params).ifPresent(problems::add);
        return problems.isEmpty()
                ? NodeSelector.plan(view, cluster, params, nodes -> plan(view, cluster, params, nodes))
                : new Planned.Refused(problems);
    }

    private Planned plan(View view, ClusterName cluster, Map<String, String> params, List<NodeRecord> nodes) {
        Map<String, String> taskArgs = new TreeMap<>();
        for (Param own : params()) {
            String value = params.get(own.name());
            if (value != null
                    && !NodeSelector.PARAMS.contains(own)
                    && !own.name().equals(MAX_AGE)) {
                taskArgs.put(own.name(), value);
            }
        }
        Duration age =
                params.containsKey(MAX_AGE) ? Age.parse(params.get(MAX_AGE)).orElseThrow() : Duration.ZERO;
        Instant unlessAfter = view.now().minus(age);
        taskArgs.put(UNLESS_AFTER, unlessAfter.toString());
        if (!age.isZero()) {
            taskArgs.put(MAX_AGE, age.toString()); // a node knows the age of a repair by its own clock alone
        }
        Phase phase = NodeSelector.phase(
                name(),
                Phase.Strategy.SERIAL,
                nodes,
                n -> RunTask.requested(
                        n.id(), NodeTask.Kind.REPAIR, taskArgs, OperationLock.allowsSilentPeers(params)));
        boolean owed = view.nodesOf(cluster).stream().anyMatch(NodeRecord::owesRepair);
        Map<String, String> owedArgs =
                params.containsKey(INTENSITY) ? Map.of(INTENSITY, params.get(INTENSITY)) : Map.of();
        List<Phase> phases =
                owed ? List.of(RepairRanges.requested(view, cluster, false, owedArgs), phase) : List.of(phase);
        return NodeSelector.draft(view, cluster, phases, notes(view, cluster, params, nodes));
    }

    /** Sends rows of the node that other replicas of its datacenter lack, up to the present, to those replicas. */
    static RunTask ofReplicaRanges(View view, NodeRecord node, boolean allowSilentPeers) {
        Map<String, String> taskArgs = Map.of(
                RunTask.REPLICA_RANGES,
                "true",
                RunTask.WITHIN_DATACENTER,
                "true",
                UNLESS_AFTER,
                view.now().toString());
        return RunTask.requested(node.id(), NodeTask.Kind.REPAIR, taskArgs, allowSilentPeers);
    }

    private static List<String> notes(
            View view, ClusterName cluster, Map<String, String> params, List<NodeRecord> nodes) {
        List<String> notes = new ArrayList<>();
        boolean within = Boolean.parseBoolean(params.get(RunTask.WITHIN_DATACENTER));
        notes.add("one node after another, each its primary ranges (those that it is the first replica of)"
                + (within ? " in " + view.datacenter() + ", between replicas there" : ", with all their replicas"));
        boolean partly = nodes.size() < view.nodesOf(cluster).size()
                || (!within && NodeSelector.PARAMS.stream().anyMatch(p -> params.containsKey(p.name())));
        if (partly) {
            notes.add("primary ranges of other nodes are not repaired: to repair all ranges, select no nodes");
        }
        notes.add("up to " + DataSize.text(view, nodes)
                + " are read; rows that differ are streamed to the replicas that lack them");
        notes.add("every node keeps serving: the only effect on any consistency level is load");
        notes.add("it can be paused and aborted at any time; repaired ranges stay repaired");
        return notes;
    }

    private static List<Problem> problems(Map<String, String> params) {
        List<Problem> problems = new ArrayList<>();
        TaskOperation.tablesOfOneKeyspace(params).ifPresent(problems::add);
        check(problems, params, INTENSITY, "a number from 0.1 to 1", v -> v.matches("0?\\.[1-9]\\d{0,3}|1(\\.0+)?"));
        check(
                problems,
                params,
                SEGMENTS,
                "a number from 1 to " + MAX_SEGMENTS,
                v -> v.matches("[1-9]\\d{0,3}") && Integer.parseInt(v) <= MAX_SEGMENTS);
        check(problems, params, PARALLELISM, "one of sequential, parallel, dc_parallel", PARALLELISMS::contains);
        check(problems, params, RunTask.WITHIN_DATACENTER, "true or false", v -> v.equals("true") || v.equals("false"));
        check(problems, params, MAX_AGE, Age.FORM, v -> Age.parse(v).isPresent());
        return problems;
    }

    private static void check(
            List<Problem> problems, Map<String, String> params, String name, String wanted, Predicate<String> fits) {
        String value = params.get(name);
        if (value != null && !fits.test(value)) {
            problems.add(Problem.field(ErrorCode.REQUEST_INVALID, name, "'" + value + "' must be " + wanted));
        }
    }
}
