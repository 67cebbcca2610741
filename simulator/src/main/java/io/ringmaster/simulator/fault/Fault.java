package io.ringmaster.simulator.fault;

import java.util.Locale;

/** A kind of fault. The seed of a run draws some of them; the label of each is also a scenario with this kind alone. */
public enum Fault {
    /** A server is killed at any call that leaves it, before or after the call's effect, and another is started. */
    KILL,
    /** A server loses its ZooKeeper session; another is elected before the first one learns of it. */
    SESSION,
    /** A commit fails, and its outcome is unknown to the server. */
    STORE,
    /** Messages are lost, delayed, duplicated and reordered. */
    MESSAGES,
    EXECUTOR_CRASH,
    DAEMON_CRASH,
    /** A start takes ten times as long. */
    SLOW_START,
    /** A start fails for a transient reason. */
    FAILED_START,
    /** A network partition separates the datacenters. */
    CUT,
    /**
     * A machine and everything that runs on it are down for a while; its disks survive. A pool of pods may also lose
     * contact with a machine that is down, or up.
     */
    MACHINE,
    /**
     * A machine is gone for a while and comes back with empty disks. Every member that it held had its replicas
     * elsewhere, and its datacenter stays in the cluster.
     */
    DISK;

    /** The scenario of this kind alone, such as {@code slow-start}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
