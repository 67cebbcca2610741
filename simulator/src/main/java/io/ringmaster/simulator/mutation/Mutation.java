package io.ringmaster.simulator.mutation;

/** A bug planted on purpose, to prove that an invariant finds it. */
public enum Mutation {
    NONE,
    /** No step checks the availability of the other nodes before it takes its own node down. */
    AVAILABILITY_CHECK_REMOVED,
    /** A spec changes, adds and removes nodes without an availability check. */
    SPEC_CHECK_REMOVED,
    /** A requested restart skips the availability check. */
    REQUEST_CHECK_REMOVED,
    /** A dead node is replaced while other nodes are down. */
    REPLACE_CHECK_REMOVED,
    /** Nodes are touched while other nodes do not see all members alive. */
    GOSSIP_IGNORED,
    /** Nodes are touched while hints for another node are not delivered. */
    HINTS_IGNORED,
    /** Nodes are touched while schema versions differ. */
    SCHEMA_IGNORED,
    /** The state of the other datacenter's nodes comes from gossip alone, which notices a crash late. */
    PEER_REPORTS_IGNORED,
    /** The report of a datacenter that leaves the cluster is not read. */
    LEAVING_DATACENTER_IGNORED,
    /** The allocation of a node that was dropped meanwhile is not released. */
    ALLOCATION_LEAKED,
    /** Requests do not wait for the operation lock. */
    LOCK_IGNORED,
    /** The replication of the keyspaces is unknown. */
    REPLICATION_UNKNOWN,
    /** Every datacenter counts as a replica of every keyspace. */
    SOLE_REPLICAS_IGNORED,
    /** A datacenter leaves while clients are connected to it. */
    CLIENTS_IGNORED,
    /** A datacenter leaves before its replicas are removed from the keyspaces. */
    REPLICATION_NOT_REDUCED,
    /** A datacenter that joins does not rebuild. */
    REBUILD_SKIPPED,
    /** A task that failed counts as done. */
    TASK_FAILURE_IGNORED,
    /** A node whose bootstrap broke off serves with the rows that it has received. */
    BROKEN_BOOTSTRAP_SERVES,
    /** A rebuild succeeds without streaming a row. */
    REBUILD_FORGOTTEN,
    /** A node of a live cluster starts as in a first creation, without bootstrap. */
    CREATED_FORGOTTEN,
    /** Each node accepts clients as soon as it is NORMAL, while others still join without bootstrap. */
    CLIENTS_ADMITTED_EARLY,
    /** A cluster counts as created once the nodes of one datacenter are NORMAL. */
    CREATED_TOO_EARLY,
    /** A restored cluster takes the import of a node for done. */
    IMPORT_SKIPPED,
    /** A restored cluster counts as created once the nodes of one datacenter have imported their rows. */
    RESTORE_ELSEWHERE_IGNORED,
    /** A daemon goes on with the authorities of before, and its executor reports the new ones as loaded. */
    TRUST_NOT_LOADED,
    /** A deploy writes no roles. */
    ROLES_NOT_WRITTEN,
    /** A daemon that joins without bootstrap is not started again when the cluster counts as created meanwhile. */
    BOOTSTRAP_NOT_REPEATED,
    /** The step of a cleanup throws an exception, which the controller turns into a failed plan. */
    STEP_THROWS,
    /** An exception in the making of plans over tables, which the controller turns into refusals. */
    PLANNING_THROWS,
    /** A cleanup does not wait until the other nodes have joined, repaired what they took over and serve. */
    CLEANUP_TOO_EARLY,
    /** Nobody repairs the ranges that a replacement, a newcomer or the heir of a node that left took over. */
    NO_REPAIR_AFTER_REPLACE,
    /** A node repairs beside another one whose repair is not over. */
    REPAIR_CHECK_REMOVED,
    /** A datacenter whose store lost a finished request carries it out again. */
    REQUEST_REPLAYED,
    /** A server commands the pool without checking its epoch in the store. */
    EPOCH_UNCHECKED,
    /** A pool carries out the late command of a leader that another one has followed. */
    OLDER_EPOCHS_ADMITTED,
    /** A pool repeats a relaunch each time the command arrives. */
    RELAUNCH_REPEATED,
    /** A node that must wait for the address of a seed starts as a seed. */
    SEED_ADDRESS_NOT_AWAITED,
    /** An executor takes a target that was sent because its node was down, although the daemon runs again. */
    CONDITION_DROPPED,
    /** Nodes whose addresses change are known by their endpoints. */
    HOSTS_KNOWN_BY_ENDPOINT,
    /** An empty volume takes the place of a lost one. */
    EMPTY_VOLUME_CREATED,
    /** A pool reports a released volume as destroyed and keeps it. */
    REPLACED_VOLUME_FORGOTTEN,
    /** A node that is replaced on a machine that it was on before gets its former volume there. */
    FORMER_VOLUME_TAKEN,
    /** A node is replaced at an endpoint at which the other nodes still ignore it. */
    QUARANTINE_IGNORED,
    /** A volume that must be kept is destroyed. */
    VOLUME_DESTROYED,
    /** An executor waits for a daemon whose bootstrap failed, as for one that joins. */
    FAILED_JOIN_AWAITED,
    /** An executor whose daemon does not answer reports at once that it has failed itself. */
    SILENCE_IS_FAILURE,
    /** A range counts as repaired if the record of its repair has a time from the future. */
    FUTURE_REPAIRS_COUNT,
    /** A range counts as repaired for a request if its record has a later time than the server gave the request. */
    REQUEST_KNOWN_BY_TIME,
    /** A commit reaches the store only with the next commit, so commands precede their records. */
    ACT_BEFORE_PERSIST
}
