package io.ringmaster.simulator;

/** What can go wrong. A run has some of these kinds, drawn from its seed; each name is also a scenario with this kind alone. */
enum Fault {
    /** A server is killed at any call to the outside, before or after the call's effect, and started again. */
    KILL,
    /** A server loses its ZooKeeper session; another is elected before the old one learns of it. */
    SESSION,
    /** A commit fails; whether it was made is not known. */
    STORE,
    /** Messages are lost, delayed, doubled, reordered. */
    MESSAGES,
    EXECUTOR_CRASH,
    DAEMON_CRASH,
    /** A start takes ten times as long. */
    SLOW_START,
    /** A start fails for a reason of the moment. */
    FAILED_START,
    /** The datacenters are cut off from each other. */
    CUT,
    /** A machine is away for a while, with all that runs on it; disks survive. */
    MACHINE,
    /** A machine is gone for a while and comes back with empty disks; every member that it held had its replicas elsewhere, and its datacenter stays. */
    DISK
}
