package io.ringmaster.simulator.world;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.fault.ActiveFaults;
import io.ringmaster.simulator.fault.Fault;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;
import java.util.Set;
import java.util.TreeSet;

/** The network: it delays messages, and with {@link Fault#MESSAGES} it duplicates, reorders and loses them. */
public final class SimNetwork {
    private static final double LATE = 0.05;
    private static final double TWICE = 0.05;
    private static final double LOST = 0.05;
    private static final int LATE_MILLIS = 5000;
    private static final double LATE_IF_CONGESTED = 0.6;

    private final VirtualClock clock;
    private final SeededRandom random;
    private final ActiveFaults faults;
    private final Set<DatacenterName> mute = new TreeSet<>();
    private final Set<AllocationId> cutOff = new TreeSet<>();
    private long congestedUntilMillis;

    SimNetwork(VirtualClock clock, SeededRandom random, ActiveFaults faults) {
        this.clock = clock;
        this.random = random;
        this.faults = faults;
    }

    /** Delivers a fact. The pool and the executors repeat their facts until they arrive, so none is lost for ever. */
    public void send(int minMillis, int maxMillis, Runnable arrival) {
        clock.after(delay(minMillis, maxMillis), arrival);
        if (faults.has(Fault.MESSAGES) && random.chance(TWICE)) {
            clock.after(delay(minMillis, maxMillis), arrival);
        }
    }

    /** Delivers a request, or loses it. */
    public void sendOrLose(int minMillis, int maxMillis, Runnable arrival) {
        if (!faults.has(Fault.MESSAGES) || !random.chance(LOST)) {
            send(minMillis, maxMillis, arrival);
        }
    }

    /** Reports of this datacenter's servers arrive in no other, while it receives theirs. */
    void mute(DatacenterName datacenter, boolean now) {
        if (now) {
            mute.add(datacenter);
        } else {
            mute.remove(datacenter);
        }
    }

    /** No server reaches the executor, while its node sees all others. */
    void cutOff(AllocationId executor, boolean now) {
        if (now) {
            cutOff.add(executor);
        } else {
            cutOff.remove(executor);
        }
    }

    public boolean isCutOff(AllocationId executor) {
        return cutOff.contains(executor);
    }

    void heal() {
        mute.clear();
        cutOff.clear();
    }

    public boolean isMute(DatacenterName datacenter) {
        return mute.contains(datacenter);
    }

    /** Many messages are late from now on, for this time. */
    public void congest(long millis) {
        congestedUntilMillis = clock.nowMillis() + millis;
    }

    private boolean isCongested() {
        return clock.nowMillis() < congestedUntilMillis;
    }

    /** How long a message takes. */
    public int delay(int minMillis, int maxMillis) {
        boolean late = (isCongested() && random.chance(LATE_IF_CONGESTED))
                || (faults.has(Fault.MESSAGES) && random.chance(LATE));
        return late ? random.between(maxMillis, LATE_MILLIS) : random.between(minMillis, maxMillis);
    }
}
