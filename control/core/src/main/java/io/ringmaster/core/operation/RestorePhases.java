package io.ringmaster.core.operation;

import io.ringmaster.core.assess.RestoredNodes;
import io.ringmaster.core.safety.Restoration;
import io.ringmaster.core.step.MarkRestored;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.RunTransfer;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.RestoreSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How the nodes of a new cluster get the data of its backup, after all have joined and before the cluster is created.
 * Each task skips what it has done before, so a later plan runs all of them again.
 */
final class RestorePhases {
    private static final String BACKUP = "backup";

    private RestorePhases() {}

    /** @param nodes all of this datacenter, in order; no phase follows if the cluster starts empty */
    static List<Phase> of(View view, SpecRecord target, List<NodeRecord> nodes) {
        RestoreOrigin origin = Restoration.of(view, target).orElse(null);
        RestoreSource restore = target.spec().restore();
        if (origin == null || restore == null) {
            return List.of();
        }
        Map<String, String> which = Map.of(BACKUP, restore.backup());
        List<Phase> phases = new ArrayList<>();
        phases.add(NodeSelector.phase("fetch", Phase.Strategy.PARALLEL, nodes, n -> fetch(n, restore, origin)));
        // one node for all: the other nodes and datacenters receive the schema by the ring
        boolean makesSchema = target.spec().datacenterNames().get(0).equals(view.datacenter());
        Map<String, String> schema = Map.of(
                BACKUP,
                restore.backup(),
                "grace_seconds",
                Long.toString(origin.graceSeconds(target.appliedAt())),
                "indexes",
                "later");
        if (makesSchema) {
            phases.add(onFirst("schema", nodes, NodeTask.Kind.RESTORE_SCHEMA, schema));
        }
        phases.add(onEach("import", nodes, NodeTask.Kind.RESTORE_IMPORT, which));
        Phase restored =
                Steps.phase(MarkRestored.PHASE, Phase.Strategy.SERIAL, Stream.of(new MarkRestored(target.cluster())));
        Phase builds = onEach("builds", nodes, NodeTask.Kind.RESTORE_BUILDS, which);
        if (makesSchema) {
            // CQL opens after its builds
            phases.add(onFirst("indexes", nodes, NodeTask.Kind.RESTORE_INDEXES, schema));
            phases.addAll(List.of(builds, restored));
        } else {
            // the indexes are made when this datacenter says that it has its rows
            phases.addAll(List.of(restored, builds));
        }
        return phases;
    }

    private static Phase onFirst(String name, List<NodeRecord> nodes, NodeTask.Kind kind, Map<String, String> args) {
        return Steps.phase(
                name,
                Phase.Strategy.SERIAL,
                Stream.of(RunTask.forSpec(nodes.get(0).id(), kind, args)));
    }

    private static Phase onEach(String name, List<NodeRecord> nodes, NodeTask.Kind kind, Map<String, String> args) {
        return NodeSelector.phase(name, Phase.Strategy.PARALLEL, nodes, n -> RunTask.forSpec(n.id(), kind, args));
    }

    private static RunTransfer fetch(NodeRecord node, RestoreSource restore, RestoreOrigin origin) {
        RestoreOrigin.Node source = RestoredNodes.source(origin, node).orElseThrow();
        return new RunTransfer(
                node.id(),
                NodeTask.Kind.RESTORE_FETCH,
                Map.of(
                        "to",
                        restore.from(),
                        "cluster",
                        restore.cluster().value(),
                        "incarnation",
                        restore.incarnation(),
                        BACKUP,
                        restore.backup(),
                        "source",
                        source.node().datacenter() + "." + source.node().shortName(),
                        "manifest",
                        source.manifest()),
                true);
    }
}
