package io.ringmaster.simulator.mutation;

import io.ringmaster.core.step.EvacuateNode;
import io.ringmaster.core.step.ReplaceNode;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.ClusterRecordBuilder;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.KeptVolume.Reason;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.NodeRecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Steps that replace nodes at places that are not free for them. */
final class MutatedPlaces {
    private static final Duration LONG_AGO = Duration.ofDays(1);

    private MutatedPlaces() {}

    private static boolean replaces(Step step) {
        return step instanceof ReplaceNode || step instanceof EvacuateNode;
    }

    /** Every node left the place of a kept volume long ago. */
    static Step withoutQuarantine(Step step) {
        return replaces(step)
                ? new MutatedStep(step, (view, budget, memory) -> step.next(longAfter(view), budget, memory))
                : step;
    }

    private static View longAfter(View view) {
        return view.with(view.clusters().values().stream()
                .<Change>map(c -> new Change.Put(longAgo(view, c)))
                .toList());
    }

    private static ClusterRecord longAgo(View view, ClusterRecord cluster) {
        return ClusterRecordBuilder.builder(cluster)
                .volumes(cluster.volumes().stream()
                        .map(v -> v.since() == null ? v : v.since(view.now().minus(LONG_AGO)))
                        .toList())
                .build();
    }

    /** The replacement gets the volume that another node of its name has left on the chosen machine. */
    static Step onFormerVolume(Step step) {
        return replaces(step)
                ? new MutatedStep(step, (view, budget, memory) -> {
                    Verdict verdict = step.next(view, budget, memory);
                    return verdict instanceof Verdict.Do act ? onFormerVolume(view, act) : verdict;
                })
                : step;
    }

    private static Verdict onFormerVolume(View view, Verdict.Do act) {
        List<Change> changes = act.changes().stream()
                .map(c -> c instanceof Change.Put put && put.record() instanceof NodeRecord node
                        ? new Change.Put(onFormerVolume(view, node))
                        : c)
                .toList();
        return new Verdict.Do(changes, act.commands(), act.reason(), act.memory(), act.change());
    }

    private static NodeRecord onFormerVolume(View view, NodeRecord node) {
        Allocation chosen = node.allocation();
        return view.allocations().containsKey(chosen.id())
                ? node
                : former(view, node)
                        .map(volume -> NodeRecordBuilder.builder(node)
                                .allocation(chosen.withId(volume.id()))
                                .build())
                        .orElse(node);
    }

    /** Not the volume of the member itself, whose replacement has not joined. */
    private static Optional<KeptVolume> former(View view, NodeRecord node) {
        return Optional.ofNullable(view.clusters().get(node.cluster())).stream()
                .flatMap(c -> c.volumes().stream())
                .filter(v -> v.reason() == Reason.REPLACED || v.reason() == Reason.EVACUATED)
                .filter(v -> node.previousAllocations().stream().noneMatch(a -> a.id().equals(v.id())))
                .filter(v -> !v.ordered() && isAt(view.allocations().get(v.id()), node.allocation()))
                .findFirst();
    }

    private static boolean isAt(@Nullable AllocationState former, Allocation chosen) {
        return former != null
                && former.status() == AllocationState.Status.RELEASED
                && former.allocation().node().equals(chosen.node())
                && former.allocation().machine().equals(chosen.machine());
    }
}
