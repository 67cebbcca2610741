package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.assess.Irreversible;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.step.DestroyVolume;
import io.ringmaster.core.step.ForgetCluster;
import io.ringmaster.core.step.ReleaseNode;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.StopNode;
import io.ringmaster.core.step.VolumeDestruction;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.request.ParamKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Deletes a cluster in all datacenters: the others learn of it from their peers and draft the same plan. Volumes are
 * kept unless the request destroys them.
 */
public final class Delete implements Operation {
    public static final String NAME = Plan.DELETE;
    public static final String DESTROY_DATA = "destroy_data";

    private static final String LATER = "out of reach: it is DESTROYED, permanently, when its machine is back if it"
            + " is released there, and volume list shows it until then";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "delete a cluster; its volumes are kept unless " + DESTROY_DATA + " is true";
    }

    @Override
    public List<Param> params() {
        return List.of(new Param(
                DESTROY_DATA, "true|false", false, "destroy every node's volume; cannot be undone", ParamKind.FLAG));
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || !view.exists(cluster)) {
            return new Planned.Refused(
                    List.of(Problem.of(ErrorCode.CLUSTER_UNKNOWN, "no cluster '" + cluster + "' is declared here")));
        }
        String value = params.getOrDefault(DESTROY_DATA, "false");
        if (!value.equals("true") && !value.equals("false")) {
            return new Planned.Refused(List.of(
                    Problem.field(ErrorCode.SPEC_INVALID, DESTROY_DATA, "'" + value + "' is neither true nor false")));
        }
        boolean destroy = Boolean.parseBoolean(value);
        List<NodeRecord> nodes = view.nodesOf(cluster);
        List<Phase> phases = new ArrayList<>();
        if (!nodes.isEmpty()) {
            phases.add(each("stop", nodes, n -> new StopNode(n.id())));
            phases.add(each("release", nodes, n -> new ReleaseNode(n.id(), destroy)));
        }
        List<KeptVolume> own = record.volumes().stream()
                .filter(v -> v.own(view.incarnation(cluster)) && !v.ordered())
                .toList();
        if (destroy && !own.isEmpty()) {
            phases.add(Steps.phase(
                    "destroy",
                    Phase.Strategy.PARALLEL,
                    own.stream().map(volume -> new DestroyVolume(cluster, volume.id()))));
        }
        phases.add(new Phase("forget", Phase.Strategy.SERIAL, List.of(Steps.pending(new ForgetCluster(cluster)))));
        Change deleting = new Change.Put(record.deleted(destroy));
        return new Planned.Draft(
                record.targetSpecVersion(), List.of(deleting), phases, notes(view, record, nodes, destroy));
    }

    private static Phase each(String name, List<NodeRecord> nodes, Function<NodeRecord, Step> step) {
        return new Phase(
                name,
                Phase.Strategy.PARALLEL,
                nodes.stream().map(step).map(Steps::pending).toList());
    }

    private static List<String> notes(View view, ClusterRecord record, List<NodeRecord> nodes, boolean destroy) {
        List<String> notes = new ArrayList<>();
        notes.add("all nodes are stopped at once, in every datacenter: from then on every request fails");
        nodes.forEach(n -> notes.add(note(view, n, destroy)));
        record.volumes().forEach(v -> note(view, record, v, destroy).ifPresent(notes::add));
        notes.add((destroy ? Irreversible.DELETE_WITH_DATA : Irreversible.DELETE).note());
        return notes;
    }

    private static String note(View view, NodeRecord node, boolean destroy) {
        boolean later = destroy && LostNode.isMachineAway(view, node.allocation());
        return node.id().shortName() + " on " + node.allocation().machine() + ": volume "
                + node.allocation().id() + ", which holds " + DataSize.text(view, node) + ", is "
                + (later ? LATER : fate(destroy));
    }

    /** What happens to a volume without a node; nothing to say of one whose destruction was ordered before. */
    private static Optional<String> note(View view, ClusterRecord record, KeptVolume volume, boolean destroy) {
        if (volume.ordered()) {
            return Optional.empty();
        }
        Allocation place = volume.allocation();
        String what = "volume " + volume.id() + (place == null ? "" : " on " + place.machine()) + ", kept because "
                + volume.reason().because() + ", ";
        if (!volume.own(view.incarnation(record.name()))) {
            return Optional.of(
                    what + "stays: it is destroyed only by volume discard " + view.datacenter() + "/" + volume.id());
        }
        return Optional.of(what + "is " + (destroy && VolumeDestruction.isAway(view, volume) ? LATER : fate(destroy)));
    }

    private static String fate(boolean destroy) {
        return destroy ? "DESTROYED, permanently" : "kept";
    }
}
