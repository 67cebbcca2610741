package io.ringmaster.simulator.world;

/** What the pool of a datacenter keeps beyond the servers that command it. */
public final class PoolMemory {
    private long revision;
    private long newestEpoch;

    PoolMemory() {}

    /** The highest revision that anything in the pool has. */
    public long revision() {
        return revision;
    }

    /** The revision of a change that happens now. */
    public long nextRevision() {
        return ++revision;
    }

    /** Whether the leader of this epoch may command the pool, which takes no command of an earlier leader any more. */
    public boolean admits(long epoch) {
        if (epoch < newestEpoch) {
            return false;
        }
        newestEpoch = epoch;
        return true;
    }
}
