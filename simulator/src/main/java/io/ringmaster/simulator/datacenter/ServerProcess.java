package io.ringmaster.simulator.datacenter;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.history.Trace;

/** The process of one server. It can be killed at any call that leaves it. */
final class ServerProcess {
    private final DatacenterName datacenter;
    private final int number;
    private final Trace trace;
    private boolean alive = true;
    private int callsToLive = Integer.MAX_VALUE;

    ServerProcess(DatacenterName datacenter, int number, Trace trace) {
        this.datacenter = datacenter;
        this.number = number;
        this.trace = trace;
    }

    DatacenterName datacenter() {
        return datacenter;
    }

    /** Counts the servers of the datacenter from 1. */
    int number() {
        return number;
    }

    boolean isAlive() {
        return alive;
    }

    void end() {
        alive = false;
    }

    /** Kills the process at the n-th call from now on. */
    void killAtCall(int calls) {
        callsToLive = calls;
    }

    /** Every call to the outside passes here before its effect and after it. */
    void call(String what) {
        if (--callsToLive <= 0) {
            throw new ServerKilled(what);
        }
    }

    void trace(String what) {
        trace.add(datacenter + "#" + number, what);
    }
}
