package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.lock.DatacenterOrder;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.step.CollectBackups;
import io.ringmaster.core.step.CommitBackup;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.RunTransfer;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.SeededText;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.request.IdTime;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.ParamKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Copies the data of all nodes to a location outside the cluster: all take a snapshot at the same time, each sends what
 * the location lacks, and a node of the first datacenter writes the manifest.
 */
public final class Backup implements Operation {
    public static final String NAME = "backup";

    /** The parameter with the name of the location. */
    public static final String TO = BackupParams.TO.name();

    public static final String BANDWIDTH = BackupParams.BANDWIDTH.name();
    public static final String KEEP_LAST = BackupParams.KEEP_LAST.name();
    public static final String KEEP_DAILY = BackupParams.KEEP_DAILY.name();

    private static final String BACKUP = "backup";
    private static final Param FULL = new Param(
            "full",
            "true|false",
            false,
            "send all data, also what the location has: after a backup was found damaged",
            ParamKind.FLAG);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "copy the data of all nodes to a location outside the cluster";
    }

    @Override
    public Optional<LockScope> lockScope() {
        return Optional.of(LockScope.BACKUP);
    }

    @Override
    public List<Param> params() {
        return List.of(BackupParams.TO, BackupParams.BANDWIDTH, BackupParams.KEEP_LAST, BackupParams.KEEP_DAILY, FULL);
    }

    /** Chooses the id of the backup, which is the same in all datacenters: {@code 20261124T040000Z-3f9c}. */
    @Override
    public Map<String, String> complete(View view, Map<String, String> given) {
        Map<String, String> all = new TreeMap<>(given);
        all.put(CommitBackup.ID, IdTime.write(view.now()) + "-" + SeededText.hex(view, NAME, 4));
        return all;
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        var problems = BackupParams.problems(view, cluster, params);
        return problems.isEmpty()
                ? NodeSelector.plan(view, cluster, Map.of(), nodes -> draft(view, cluster, params, nodes))
                : new Planned.Refused(problems);
    }

    private static Planned draft(View view, ClusterName cluster, Map<String, String> params, List<NodeRecord> all) {
        String id = Objects.requireNonNull(params.get(CommitBackup.ID), "completed before it is planned");
        List<NodeRecord> nodes = all.stream().filter(NodeRecord::launched).toList();
        Map<String, String> args = BackupParams.transferArgs(view, cluster, params);
        args.put(BACKUP, id);
        boolean silent = OperationLock.allowsSilentPeers(params);
        List<Phase> phases = new ArrayList<>();
        phases.add(NodeSelector.phase(
                "snapshot",
                Phase.Strategy.PARALLEL,
                nodes,
                n -> RunTask.requested(n.id(), NodeTask.Kind.BACKUP_SNAPSHOT, Map.of(BACKUP, id), silent)));
        phases.add(NodeSelector.phase("upload", Phase.Strategy.PARALLEL, nodes, n -> upload(n, args, isFull(params))));
        SpecRecord spec = view.targetSpec(cluster).orElseThrow();
        if (spec.spec().datacenterNames().get(0).equals(view.datacenter())) {
            phases.add(Steps.phase(
                    CommitBackup.NAME,
                    Phase.Strategy.SERIAL,
                    Stream.of(new CommitBackup(cluster, id, commit(view, spec, nodes, args)))));
            if (params.containsKey(KEEP_LAST)) {
                phases.add(retain(view, cluster, params, id));
            }
        }
        return NodeSelector.draft(view, cluster, phases, notes(view, params, nodes));
    }

    private static boolean isFull(Map<String, String> params) {
        return Boolean.parseBoolean(params.get(FULL.name()));
    }

    private static RunTransfer upload(NodeRecord node, Map<String, String> common, boolean full) {
        Map<String, String> args = new TreeMap<>(common);
        if (full) {
            args.put(FULL.name(), "true");
        }
        args.put("needs_cleanup", Boolean.toString(node.needsCleanup()));
        return new RunTransfer(node.id(), NodeTask.Kind.BACKUP_UPLOAD, args, false);
    }

    /** @param id of this backup, which the rule keeps whatever the clocks say */
    private static Phase retain(View view, ClusterName cluster, Map<String, String> params, String id) {
        Map<String, String> args = BackupParams.transferArgs(view, cluster, params);
        args.put(BACKUP, id);
        for (String rule : List.of(KEEP_LAST, KEEP_DAILY)) {
            String number = params.get(rule);
            if (number != null) {
                args.put(rule, number);
            }
        }
        return Steps.phase("retain", Phase.Strategy.SERIAL, Stream.of(new CollectBackups(cluster, args, true)));
    }

    /** The manifest names the nodes that it expects, and holds the spec: a restore starts from it. */
    private static Map<String, String> commit(
            View view, SpecRecord spec, List<NodeRecord> here, Map<String, String> common) {
        Stream<NodeId> elsewhere = DatacenterOrder.of(view, spec).stream()
                .filter(d -> !d.equals(view.datacenter()))
                .flatMap(d -> view.lastPart(d, spec.cluster()).stream())
                .flatMap(p -> p.nodes().stream())
                .filter(NodePart::joined)
                .map(NodePart::node);
        Map<String, String> args = new TreeMap<>(common);
        args.put(
                "nodes",
                Stream.concat(here.stream().map(NodeRecord::id), elsewhere)
                        .map(n -> n.datacenter() + "." + n.shortName())
                        .collect(Collectors.joining(",")));
        args.put(
                "datacenters",
                spec.spec().datacenterNames().stream()
                        .map(DatacenterName::value)
                        .collect(Collectors.joining(",")));
        args.put("spec", spec.source());
        return args;
    }

    private static List<String> notes(View view, Map<String, String> params, List<NodeRecord> nodes) {
        String bandwidth = params.get(BackupParams.BANDWIDTH.name());
        List<String> notes = new ArrayList<>(List.of(
                "all nodes take a snapshot at the same time: hard links, which cost no space until a compaction"
                        + " replaces their files; a repair is interrupted for it and continues",
                (isFull(params) ? "each node then sends all files to " : "each node then sends the files that ")
                        + params.get(BackupParams.TO.name())
                        + (isFull(params) ? ", " : " lacks, of ")
                        + DataSize.text(view, nodes)
                        + (bandwidth == null ? ", as fast as it can" : ", at most " + bandwidth),
                "every node keeps serving, and deploys, restarts and repairs do not wait for it",
                "a failure or an abort leaves no backup; the backups before it stay as they are"));
        if (params.containsKey(KEEP_LAST)) {
            notes.add("afterwards the older backups are deleted, but for the newest " + params.get(KEEP_LAST)
                    + " and the newest of each of " + params.getOrDefault(KEEP_DAILY, "0") + " days");
        }
        return notes;
    }
}
