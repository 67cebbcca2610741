package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;

/**
 * Releases the allocation of a stopped node and removes its record. The volume is destroyed only when the user
 * asked for it explicitly.
 */
public record ReleaseNode(NodeId node, boolean destroyVolume) implements Step {
    @Override
    public String name() {
        return "release " + node.datacenter() + " " + node.shortName();
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        if (record == null) {
            return new Verdict.Done(List.of(), "already gone");
        }
        if (!view.poolSeen()) {
            return new Verdict.Wait("the pool has not reported its machines yet");
        }
        List<Change> forget = List.of(new Change.Remove(record.key()));
        // of the deleted cluster only once that is forgotten: a second delete may still destroy it
        KeptVolume.Reason reason = record.joined() ? KeptVolume.Reason.LEFT : KeptVolume.Reason.ABORTED;
        KeptVolume kept = KeptVolume.of(
                VolumeDestruction.place(view, record.allocation()),
                reason,
                view.now(),
                view.incarnation(record.cluster()));
        if (destroyVolume && VolumeDestruction.isAway(view, record.allocation())) {
            return new Verdict.Done(keep(view, record, kept.discarded(view.now())), VolumeDestruction.later(kept));
        }
        AllocationState state = view.allocations().get(record.allocation().id());
        if (state == null) {
            return LostNode.isMachineAway(view, record.allocation())
                    ? new Verdict.Done(keep(view, record, kept), "volume kept on a machine that is away")
                    : new Verdict.Done(forget, "it has no allocation");
        }
        if (state.status() == AllocationState.Status.RELEASED && !destroyVolume) {
            return new Verdict.Done(
                    keep(view, record, kept),
                    "volume " + record.allocation().id() + " kept on "
                            + record.allocation().machine());
        }
        return new Verdict.Do(
                List.of(),
                List.of(new Command.Release(record.allocation().id(), destroyVolume)),
                destroyVolume ? "destroys its volume" : "releases its allocation, keeps its volume",
                memory);
    }

    /** Removes the record of the node, and records the volume that stays. */
    private static List<Change> keep(View view, NodeRecord record, KeptVolume volume) {
        ClusterRecord cluster = view.clusters().get(record.cluster());
        Change forget = new Change.Remove(record.key());
        return cluster == null ? List.of(forget) : List.of(forget, new Change.Put(cluster.withVolume(volume)));
    }
}
