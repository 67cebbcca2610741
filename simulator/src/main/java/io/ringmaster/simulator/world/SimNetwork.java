package io.ringmaster.simulator.world;

import io.ringmaster.simulator.fault.ActiveFaults;
import io.ringmaster.simulator.fault.Fault;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;

/** The network: it delays messages, and with {@link Fault#MESSAGES} it duplicates, reorders and loses them. */
public final class SimNetwork {
    private static final double LATE = 0.05;
    private static final double TWICE = 0.05;
    private static final double LOST = 0.05;
    private static final int LATE_MILLIS = 5000;

    private final VirtualClock clock;
    private final SeededRandom random;
    private final ActiveFaults faults;

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

    /** How long a message takes. */
    public int delay(int minMillis, int maxMillis) {
        boolean late = faults.has(Fault.MESSAGES) && random.chance(LATE);
        return late ? random.between(maxMillis, LATE_MILLIS) : random.between(minMillis, maxMillis);
    }
}
