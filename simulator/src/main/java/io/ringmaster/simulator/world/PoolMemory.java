package io.ringmaster.simulator.world;

import io.ringmaster.simulator.mutation.Mutation;

/** What the pool of a datacenter keeps beyond the servers that command it. */
public final class PoolMemory {
    private static final int BYTE = 256;

    private final PoolKind kind;
    private final int number;
    private final boolean admitsAll;
    private long revision;
    private long newestEpoch;
    private int addresses;

    /** @param number of the datacenter, by which its addresses differ from those of another one */
    PoolMemory(PoolKind kind, int number, Mutation planted) {
        this.kind = kind;
        this.number = number;
        this.admitsAll = planted == Mutation.OLDER_EPOCHS_ADMITTED;
    }

    public PoolKind kind() {
        return kind;
    }

    /** The highest revision that anything in the pool has. */
    public long revision() {
        return revision;
    }

    /** The revision of a change that happens now. */
    public long nextRevision() {
        return ++revision;
    }

    /** An address that nothing in the run has had. */
    String nextAddress() {
        int next = addresses++;
        return "10." + number + "." + next / BYTE + "." + next % BYTE;
    }

    /** Whether the leader of this epoch may command the pool, which takes no command of an earlier leader any more. */
    public boolean admits(long epoch) {
        if (epoch < newestEpoch) {
            return admitsAll;
        }
        newestEpoch = epoch;
        return true;
    }
}
