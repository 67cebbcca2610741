package io.ringmaster.simulator.ledger;

/** A way to lose copies of rows that is known and not fixed. Runs play or judge it only if asked. */
public enum KnownBug {
    /**
     * Clients write to a cluster whose nodes all serve, but whose first deployment failed or was superseded. The nodes
     * that are added to it do not bootstrap.
     */
    FIRST_DEPLOYMENT_ABORTED,
    /**
     * A node is replaced while the other datacenter, cut off, keeps hints for it. The replacement streams from replicas
     * that have not received their hints yet. Those for the replaced node are dropped, and nothing repairs.
     */
    REPLACEMENT_NOT_REPAIRED
}
