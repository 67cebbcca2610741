package io.ringmaster.simulator.fault;

import java.util.EnumSet;
import java.util.Set;

/** The kinds of faults that can happen now: those of the run, until they are stopped. */
public final class ActiveFaults {
    private final Set<Fault> kinds;
    private boolean stopped;

    public ActiveFaults(Set<Fault> kinds) {
        this.kinds = kinds.isEmpty() ? EnumSet.noneOf(Fault.class) : EnumSet.copyOf(kinds);
    }

    public boolean has(Fault fault) {
        return !stopped && kinds.contains(fault);
    }

    public void stop() {
        stopped = true;
    }
}
