package io.ringmaster.model.node;

import io.ringmaster.model.Ordered;
import java.util.Locale;
import java.util.Map;

/**
 * Long work inside one node. Part of its target: the executor begins it once, adopts it after its own restart, begins it again when
 * the daemon died in the middle, and ends it when the target names it no more.
 *
 * @param id differs for each time that it is asked for; the same id is never done twice
 * @param args by kind: {@code keyspaces} and {@code tables} separated by commas (none: all of the users), and what else a kind takes
 */
public record NodeTask(String id, Kind kind, Map<String, String> args) {
    public NodeTask {
        args = Ordered.copy(args);
    }

    /** What a node can be asked to do. */
    public enum Kind {
        FLUSH,
        COMPACT,
        CLEANUP,
        GARBAGE_COLLECT,
        UPGRADE_SSTABLES,
        DRAIN,
        REPAIR,
        /** Gives the keyspaces replicas in {@code datacenter}, which has {@code nodes}; with 0 nodes takes them away. */
        REPLICATE,
        REBUILD,
        /** Looks whether what the datacenter {@code from} has is here too, by partitions at places drawn at random. */
        COMPARE,
        DECOMMISSION,
        /** Takes the dead member with the host id {@code host} out of the ring: the others stream what it held from the replicas that are left. */
        REMOVE,
        /** A write and a read of Ringmaster's own keyspace through this node as coordinator, at {@code consistency}. */
        PROBE;

        /** The word for people: {@code garbage-collect}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
