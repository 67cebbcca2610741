package io.ringmaster.companion;

import io.ringmaster.companion.cassandra.RingDelay;
import java.util.Optional;

/**
 * Names the activity of a starting Cassandra. Cassandra reports no progress of its start, so the stack of the starting
 * thread is looked up in a table; the innermost known frame wins.
 */
final class Activity {
    private static final String[][] KNOWN = {
        {"CommitLogReplayer", "", "replaying the commit log"},
        {"CommitLog", "recoverSegmentsOnDisk", "replaying the commit log"},
        {"Gossiper", "waitToSettle", "waiting for gossip to settle"},
        {"Gossiper", "doShadowRound", "asking the seeds who is in the ring"},
        {"SeedProvider", "getSeeds", "asking the server for seeds"},
        {"MigrationCoordinator", "awaitSchemaRequests", "waiting for the schema from its peers"},
        {"StorageService", "waitForSchema", "waiting for the schema from its peers"},
        {"StorageService", "bootstrap", "streaming its ranges from its peers"},
        {"BootStrapper", "allocateTokens", "choosing tokens"},
        {"StorageService", "joinTokenRing", "joining the ring"},
        {"StorageService", "joinRing", "joining the ring"},
        {"StorageService", "prepareToJoin", "opening internode messaging"},
        {"StorageService", "initServer", "joining the ring"},
        {"SystemKeyspace", "", "reading system tables"},
        {"ColumnFamilyStore", "", "opening tables"},
        {"Keyspace", "", "opening tables"},
        {"Schema", "", "loading the schema"},
        {"StartupChecks", "", "checking the system"},
        {"DatabaseDescriptor", "", "reading the configuration"},
        {"CassandraDaemon", "initializeClientTransports", "preparing for clients"},
        {"CassandraDaemon", "start", "opening CQL"},
    };

    private Activity() {}

    static String of(StackTraceElement[] stack) {
        Optional<String> delay = RingDelay.of(stack);
        if (delay.isPresent()) {
            return delay.get();
        }
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            for (String[] known : KNOWN) {
                if (type.endsWith("." + known[0])
                        && (known[1].isEmpty() || frame.getMethodName().equals(known[1]))) {
                    return known[2];
                }
            }
        }
        return "starting";
    }
}
