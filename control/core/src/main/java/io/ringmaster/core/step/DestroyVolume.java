package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import java.util.List;
import java.util.Map;

/**
 * Destroys the volume of a node that left the ring before its cluster was deleted. A plan contains it only when the
 * user asked explicitly for the data to be destroyed.
 */
public record DestroyVolume(ClusterName cluster, AllocationId volume) implements Step {
    @Override
    public String name() {
        return "destroy " + volume;
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || !record.keptVolumes().contains(volume)) {
            return new Verdict.Done(List.of(), "already gone");
        }
        if (!view.poolSeen()) {
            return new Verdict.Wait("the pool has not reported its machines yet");
        }
        return view.allocations().containsKey(volume)
                ? new Verdict.Do(List.of(), List.of(new Command.Release(volume, true)), "destroys the volume", memory)
                : new Verdict.Done(List.of(new Change.Put(record.withoutKeptVolume(volume))), "destroyed");
    }
}
