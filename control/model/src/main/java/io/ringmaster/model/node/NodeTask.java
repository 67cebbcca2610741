package io.ringmaster.model.node;

import io.ringmaster.model.Ordered;
import java.util.Locale;
import java.util.Map;

/**
 * A long-running task in one node. It is part of the target of the node: the executor starts it once, adopts it
 * after its own restart, starts it again when the daemon died in the middle, and stops it when the target no longer
 * names it.
 *
 * @param id unique for each request; the same id never runs twice
 * @param args by kind: {@code keyspaces} and {@code tables} separated by commas (none: all of the users), and
 *     further arguments of the kind
 */
public record NodeTask(String id, Kind kind, Map<String, String> args) {
    /** The argument {@code true} of a task that another node was asked to do before, and may have done in part. */
    public static final String AGAIN = "again";

    /** The prefix of the arguments that say where the server finds the password of a role. */
    public static final String PASSWORD = "password.";

    public NodeTask {
        args = Ordered.copy(args);
    }

    /** Whether it needs {@link TaskSecrets}. */
    public boolean needsSecrets() {
        return args.keySet().stream().anyMatch(name -> name.startsWith(PASSWORD));
    }

    /** The processes of a node that do its tasks. */
    public enum Place {
        /** Cassandra itself, for the task of the target. */
        DAEMON,
        /** The program that moves the bytes of backups, for the transfer of the target. Cassandra may be down. */
        TRANSFER
    }

    /** The kinds of tasks. */
    public enum Kind {
        FLUSH,
        COMPACT,
        CLEANUP,
        GARBAGE_COLLECT,
        UPGRADE_SSTABLES,
        DRAIN,
        REPAIR,
        /**
         * Gives the keyspaces replicas in {@code datacenter}, which has {@code nodes}; 0 nodes removes the
         * replicas.
         */
        REPLICATE,
        REBUILD,
        /**
         * Checks whether the partitions of the datacenter {@code from} are here too; or, in a datacenter that leaves,
         * whether the partitions of this node are in those in {@code staying} too.
         */
        COMPARE,
        DECOMMISSION,
        /**
         * Removes the dead member with the host id {@code host} from the ring: the other nodes stream what it held
         * from the remaining replicas.
         */
        REMOVE,
        /**
         * Writes and reads in the keyspace of Ringmaster through this node as the coordinator, at {@code
         * consistency}.
         */
        PROBE,
        /** Deletes the snapshot {@code tag}, or without it all but those that a backup or a repair still uses. */
        CLEAR_SNAPSHOTS,
        /** Takes the snapshot {@code backup} of all that a backup holds, and lists it in a file on the volume. */
        BACKUP_SNAPSHOT,
        /** Sends what the store {@code to} lacks of the snapshot {@code backup}. */
        BACKUP_UPLOAD(Place.TRANSFER),
        /** Writes the manifest of the whole cluster, once those of all nodes are there. */
        BACKUP_COMMIT(Place.TRANSFER),
        /** Checks that this node reaches the store {@code to} and may write there. */
        BACKUP_CHECK(Place.TRANSFER),
        /** Checks that all that the manifest of {@code backup} names is in the store. */
        BACKUP_VERIFY(Place.TRANSFER),
        /**
         * Deletes the backups {@code delete}, or those that {@code keep_last} and {@code keep_daily} do not keep, and
         * what no backup needs any more.
         */
        BACKUP_COLLECT(Place.TRANSFER),
        /** Brings the files of one node of {@code backup} to this node. */
        RESTORE_FETCH(Place.TRANSFER),
        /**
         * Makes the tables of {@code backup}, which a fetch has brought to this node. {@code grace_seconds} are added
         * to each {@code gc_grace_seconds} above 0. With {@code indexes} = {@code later} without indexes and views.
         */
        RESTORE_SCHEMA,
        /** Gives Cassandra the files of {@code backup} that a fetch has brought to this node. */
        RESTORE_IMPORT,
        /** Makes the indexes and views of {@code backup}, with the arguments of its schema. */
        RESTORE_INDEXES,
        /** Waits until this node has built the indexes and views of {@code backup}. */
        RESTORE_BUILDS,
        /**
         * Replicates Cassandra's roles in the datacenters of {@code nodes}, and writes the declared ones. Their
         * passwords are no arguments; the server sends hashes beside the target.
         */
        ACCESS;

        private final Place place;

        Kind() {
            this(Place.DAEMON);
        }

        Kind(Place place) {
            this.place = place;
        }

        /** The process that does this kind of work. */
        public Place runsIn() {
            return place;
        }

        /** The name for people: {@code garbage-collect}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
