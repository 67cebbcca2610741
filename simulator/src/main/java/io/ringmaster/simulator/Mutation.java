package io.ringmaster.simulator;

/** A bug planted on purpose, to see that the simulator would find it. */
public enum Mutation {
    NONE,
    /** No step asks whether the other nodes are well before it takes its own down. */
    GATE_REMOVED,
    /** A spec changes nodes, adds them and lets them leave whatever the others do. */
    SPEC_UNGATED,
    /** Restarts that were asked for do not look at the other nodes. */
    REQUEST_UNGATED,
    /** A dead node is replaced while others are down. */
    REPLACE_UNGATED,
    /** Nodes are touched while others do not see all members alive. */
    GOSSIP_IGNORED,
    /** Nodes are touched while hints for another are not delivered. */
    HINTS_IGNORED,
    /** Nodes are touched while schemas differ. */
    SCHEMA_IGNORED,
    /** Gossip alone says how the nodes of the other datacenter are, which takes a while. */
    PEERS_IGNORED,
    /** A datacenter that is to leave is not asked how its nodes are. */
    LEAVING_UNASKED,
    /** What was claimed for a node that was dropped meanwhile is not given back. */
    CLAIM_LEFT,
    /** Requests do not wait for their turn. */
    TURN_IGNORED,
    /** How often keyspaces are kept is not known. */
    REPLICAS_UNKNOWN,
    /** Every datacenter is believed to keep every keyspace. */
    STRANDED_IGNORED,
    /** A datacenter leaves under its clients. */
    CLIENTS_IGNORED,
    /** A datacenter leaves before its replicas are taken out of the keyspaces. */
    REPLICAS_LEFT,
    /** A datacenter that joins streams nothing. */
    REBUILD_SKIPPED,
    /** A server does not ask the store whether it still leads before it asks something of the pool. */
    EPOCH_UNPROVEN,
    /** A volume that is gone is replaced by an empty one. */
    VOLUME_MADE_ANEW,
    /** A volume is destroyed where it should be kept. */
    VOLUME_DESTROYED,
    /** What is committed reaches the store only with the commit after it, so commands run ahead of the records. */
    PERSIST_AFTER_ACT
}
