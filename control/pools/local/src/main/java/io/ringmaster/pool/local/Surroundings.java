package io.ringmaster.pool.local;

import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.pool.base.Doors;
import io.ringmaster.pool.base.PoolReports;
import org.jspecify.annotations.Nullable;

/** What an allocation needs of its pool. */
record Surroundings(
        AllocationFolders folders,
        Cgroups cgroups,
        ExecutorProgram program,
        Doors doors,
        LaunchAddresses addresses,
        Reservations reservations,
        PoolReports reports,
        boolean resizesInPlace,
        Watch watch) {

    @FunctionalInterface
    interface Watch {
        /** Calls {@link LocalAllocation#executorEnded} when the executor has ended. */
        void start(LocalAllocation allocation, ProcessIdentity executor, @Nullable Process child);
    }
}
