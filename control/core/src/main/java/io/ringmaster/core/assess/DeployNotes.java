package io.ringmaster.core.assess;

import io.ringmaster.core.desired.NodeChange;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.NodeMemory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The notes of a deploy: the reason for its order, what moves, which requests are affected, and what can be undone. */
public final class DeployNotes {
    private DeployNotes() {}

    /** @param todo nodes that are started or changed, in the order of the plan */
    public static List<String> of(
            View view, SpecRecord target, List<NodeRecord> todo, Placements placements, RingChange ring) {
        List<String> notes = new ArrayList<>();
        NewDatacenter.source(view, target)
                .ifPresent(source -> notes.addAll(NewDatacenter.notes(view, target.cluster(), source)));
        if (!todo.isEmpty()) {
            notes.add(
                    Seeds.created(view, target.cluster())
                            ? "the cluster is live: one node at a time, each seen NORMAL by all before the next"
                            : "the cluster is empty: all nodes start at once");
        }
        List<NodeRecord> changing =
                todo.stream().filter(ring.staying()::contains).toList();
        if (!changing.isEmpty() && Seeds.created(view, target.cluster())) {
            notes.addAll(ofChanges(view, target, changing));
        }
        placements
                .nodes()
                .forEach(p -> notes.add(
                        p.node().shortName() + " on " + p.chosen().orElseThrow().machine() + ": " + p.why()));
        notes.addAll(ring.notes());
        NodeMemory.note(target.spec()).ifPresent(notes::add);
        return notes;
    }

    /** Notes on nodes that already exist. */
    private static List<String> ofChanges(View view, SpecRecord target, List<NodeRecord> changing) {
        ClusterName cluster = target.cluster();
        List<String> notes = new ArrayList<>();
        notes.add("nodes that are down come first, then the others in order; if a node fails, its last good version is"
                + " put back on it and the plan stops");
        boolean restarts = changing.stream()
                .anyMatch(n -> !NodeChange.of(view, n, target.spec()).isLive());
        if (restarts) {
            notes.addAll(Replication.of(view, cluster).whenOneIsDown());
            RoleReplicas.of(view, cluster, view.datacenter()).whatChanges().ifPresent(notes::add);
        } else {
            notes.add("nothing is restarted: no consistency level is affected");
        }
        notes.add("these changes move no data"
                + changing.stream()
                        .map(NodeRecord::goodSpecVersion)
                        .filter(good -> good > 0 && good < target.version())
                        .max(Comparator.naturalOrder())
                        .map(good -> "; to undo them apply version " + good + " again: cluster spec " + cluster
                                + " --version-number " + good + " prints it")
                        .orElse(""));
        return notes;
    }
}
