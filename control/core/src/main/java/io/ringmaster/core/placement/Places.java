package io.ringmaster.core.placement;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.ClusterRecord;

/** Chooses allocation ids. */
public final class Places {
    private Places() {}

    /**
     * Adds a number to the id if it is taken: a volume of an earlier node may still exist under the plain id, and a new
     * node must not start on it.
     */
    public static Allocation withFreshId(View view, Allocation allocation) {
        AllocationId id = allocation.id();
        for (int i = 2; isTaken(view, allocation.node().cluster(), id); i++) {
            id = new AllocationId(allocation.id() + "-" + i);
        }
        return allocation.withId(id);
    }

    private static boolean isTaken(View view, ClusterName cluster, AllocationId id) {
        ClusterRecord record = view.clusters().get(cluster);
        return view.allocations().containsKey(id)
                || (record != null && record.volume(id).isPresent()) // perhaps on a machine that is away
                || view.nodes().values().stream()
                        .anyMatch(n -> n.allocation().id().equals(id)
                                || n.previousAllocations().stream().anyMatch(a -> a.id().equals(id)));
    }
}
