package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Destroys the volume of a node that left the ring, was replaced or moved before its cluster was deleted. A plan
 * contains it only when the user asked explicitly for the data to be destroyed. While its machine is away, the order is
 * recorded, and {@code VolumeRecovery} carries it out once the machine is back.
 */
public record DestroyVolume(ClusterName cluster, AllocationId volume) implements Step {
    @Override
    public String name() {
        return "destroy " + volume;
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        ClusterRecord record = view.clusters().get(cluster);
        KeptVolume kept = record == null ? null : record.volume(volume).orElse(null);
        if (record == null || kept == null) {
            return new Verdict.Done(List.of(), "already gone");
        }
        if (!view.poolSeen()) {
            return new Verdict.Wait("the pool has not reported its machines yet");
        }
        if (VolumeDestruction.isDestroyed(view, kept)) {
            return new Verdict.Done(
                    List.of(new Change.Put(record.withVolume(kept.destroyed(view.now())))), "destroyed");
        }
        boolean missing = VolumeDestruction.isMissing(view, kept);
        if (missing || VolumeDestruction.isAway(view, kept)) {
            return new Verdict.Done(
                    List.of(new Change.Put(record.withVolume(kept.discarded(view.now())))),
                    missing
                            ? "the pool does not have it: destroyed when it is back if released, and listed until then"
                            : VolumeDestruction.later(kept));
        }
        Optional<String> whyNot = VolumeDestruction.whyNot(view, kept);
        if (whyNot.isPresent()) {
            return isBeingReleased(view, kept)
                    ? new Verdict.Wait("it is being released: " + whyNot.get())
                    : new Verdict.Done(
                            List.of(new Change.Put(record.withVolume(kept.dropped(whyNot.get())))),
                            "not destroyed: " + whyNot.get());
        }
        KeptVolume sent = kept.sent(view.now());
        String problem = VolumeDestruction.problem(view, sent);
        List<Change> changes = sent.equals(kept) ? List.of() : List.of(new Change.Put(record.withVolume(sent)));
        return new Verdict.Do(
                changes,
                VolumeDestruction.command(view, sent).stream().toList(),
                problem == null ? "destroys the volume" : "destroys the volume: " + problem,
                memory);
    }

    /** {@code Recovery} stops and releases what still runs of a deleted cluster. */
    private static boolean isBeingReleased(View view, KeptVolume kept) {
        AllocationState state = view.allocations().get(kept.id());
        return state != null
                && state.allocation().equals(kept.allocation())
                && switch (state.status()) {
                    case LAUNCHING, RUNNING, UNREACHABLE, EXITED, RESERVED -> true;
                    case PENDING, FAILED, RELEASED -> false;
                };
    }
}
