package io.ringmaster.simulator.world;

import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.fleet.PoolCapabilities.VolumeScope;
import java.util.List;

/** What a datacenter's pool is made of. */
public enum PoolKind {
    /** Machines with addresses of their own. A daemon outlives its executor, and allocations are resized in place. */
    FIXED,
    /** Each start has a new address, executor and daemon end together, and resources change with a launch alone. */
    PODS,
    PODS_WITH_ZONAL_VOLUMES;

    public PoolCapabilities capabilities() {
        return switch (this) {
            case FIXED -> PoolCapabilities.OF_MACHINES;
            case PODS -> pods(VolumeScope.MACHINE);
            case PODS_WITH_ZONAL_VOLUMES -> pods(VolumeScope.ZONE);
        };
    }

    private static PoolCapabilities pods(VolumeScope volumes) {
        return new PoolCapabilities(false, false, false, true, volumes);
    }

    public boolean hasFixedAddresses() {
        return this == FIXED;
    }

    /**
     * The kinds of a run, one for each datacenter: a third of the seeds have pods in one datacenter or in both. Draws
     * no random number, so that a history does not depend on how many kinds there are.
     */
    public static List<PoolKind> of(long seed) {
        long hash = (seed + 1) * 0xD1B54A32D192ED03L;
        hash = (hash ^ (hash >>> 29)) * 0xBF58476D1CE4E5B9L;
        hash ^= hash >>> 32;
        PoolKind pods = hash < 0 ? PODS : PODS_WITH_ZONAL_VOLUMES;
        return switch ((int) Math.floorMod(hash, 9L)) {
            case 0 -> List.of(pods, FIXED);
            case 1 -> List.of(FIXED, pods);
            case 2 -> List.of(pods, pods);
            default -> List.of(FIXED, FIXED);
        };
    }
}
