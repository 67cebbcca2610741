package io.ringmaster.model.fleet;

/**
 * The capabilities of a pool. They are part of every full report, so that decisions stay pure.
 *
 * @param resizesInPlace whether {@code Reserve} changes the CPU and memory of a running allocation; otherwise they
 *     change when the allocation is launched again
 * @param fixedAddress whether an allocation has the same address at every launch
 * @param daemonOutlivesExecutor whether Cassandra keeps running when its executor ends; no decision depends on it yet
 * @param listsMachines whether a machine that the pool does not report is gone. If not, absence proves nothing
 * @param volumes what a volume is bound to; no decision depends on it yet
 */
public record PoolCapabilities(
        boolean resizesInPlace,
        boolean fixedAddress,
        boolean daemonOutlivesExecutor,
        boolean listsMachines,
        VolumeScope volumes) {

    /** A pool of directories on machines with addresses of their own, such as the local one. */
    public static final PoolCapabilities OF_MACHINES =
            new PoolCapabilities(true, true, true, true, VolumeScope.MACHINE);

    /** Where an allocation can use its volume. */
    public enum VolumeScope {
        MACHINE,
        ZONE
    }
}
