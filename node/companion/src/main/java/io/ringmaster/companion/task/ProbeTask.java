package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.FailureText;
import io.ringmaster.companion.cassandra.RingCopy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows and reads them back with this node as coordinator, at each level in the argument
 * {@code consistency}. The rows are in Ringmaster's own keyspace, with three replicas per datacenter, or one per node
 * in a smaller one. The task creates the keyspace if it does not exist.
 */
final class ProbeTask implements TaskBody {
    /** The same in all clusters, so that two nodes that create the table concurrently create the same table. */
    private static final String TABLE_ID = "8f2d1c60-6f0a-11f0-9a4b-1b3c5d7e9f10";

    private static final int REPLICAS = 3;
    private static final Duration SCHEMA_TIMEOUT = Duration.ofSeconds(15);
    private static final long RETRY_MS = 200;

    private final List<ConsistencyLevel> levels;

    ProbeTask(Map<String, String> args) {
        List<String> names = Tables.list(args, "consistency");
        this.levels = (names.isEmpty() ? List.of("LOCAL_QUORUM") : names)
                .stream().map(ConsistencyLevel::valueOf).toList();
    }

    @Override
    public String run(Progress progress) throws Exception {
        boolean schemaChanged = prepare();
        progress.at("waits until all nodes have one schema", () -> 0);
        AgreedSchema.await(SCHEMA_TIMEOUT, progress);
        List<String> results = new ArrayList<>();
        for (ConsistencyLevel level : levels) {
            progress.at("probes at " + level, () -> 0);
            results.add(level + " in " + probe(level, schemaChanged) + " ms");
        }
        return "probe passed: " + String.join(", ", results);
    }

    @Override
    public void stop() {}

    /** @return whether the schema was changed; the replicas may receive the change a moment later */
    private static boolean prepare() {
        Map<String, Integer> wanted = replication();
        KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(Tables.OWN_KEYSPACE);
        String replication = wanted.entrySet().stream()
                .map(e -> "'" + e.getKey() + "': " + e.getValue())
                .collect(Collectors.joining(", ", "{'class': 'NetworkTopologyStrategy', ", "}"));
        boolean current = keyspace != null
                && wanted.entrySet().stream().allMatch(e -> String.valueOf(e.getValue())
                        .equals(keyspace.params.replication.options.get(e.getKey())));
        if (current && keyspace.getTableOrViewNullable("probe") != null) {
            return false;
        }
        if (!current) {
            change((keyspace == null ? "CREATE KEYSPACE IF NOT EXISTS " : "ALTER KEYSPACE ") + Tables.OWN_KEYSPACE
                    + " WITH replication = " + replication);
        }
        change("CREATE TABLE IF NOT EXISTS " + Tables.OWN_KEYSPACE
                + ".probe (id uuid PRIMARY KEY, value bigint) WITH id = "
                + TABLE_ID
                + " AND default_time_to_live = 86400"
                + " AND comment = 'written by Ringmaster between two nodes of an operation'");
        return true;
    }

    private static void change(String statement) {
        QueryProcessor.process(statement, ConsistencyLevel.LOCAL_ONE);
    }

    private static Map<String, Integer> replication() {
        Map<String, Integer> replicas = new TreeMap<>(RingCopy.now().nodes());
        replicas.replaceAll((datacenter, nodes) -> Math.min(REPLICAS, nodes));
        return replicas;
    }

    /**
     * @param retries whether failures are retried, as the schema may not have arrived everywhere
     * @return the duration in milliseconds
     */
    private static long probe(ConsistencyLevel level, boolean retries) throws InterruptedException {
        long deadline = System.nanoTime() + SCHEMA_TIMEOUT.toNanos();
        while (true) {
            long startedAt = System.nanoTime();
            try {
                ProbeRows.writeAndReadBack(new OwnTable(), level, startedAt);
                return (System.nanoTime() - startedAt) / 1_000_000;
            } catch (RequestExecutionException e) {
                if (!retries || System.nanoTime() > deadline) {
                    throw new IllegalStateException("no answer at " + level + ": " + FailureText.of(e), e);
                }
                Thread.sleep(RETRY_MS);
            }
        }
    }

    /** The table of Ringmaster's own keyspace. */
    private static final class OwnTable implements ProbeRows.Table {
        @Override
        public void write(UUID id, long value, ConsistencyLevel level) {
            QueryProcessor.process(
                    "INSERT INTO " + Tables.OWN_KEYSPACE + ".probe (id, value) VALUES (" + id + ", " + value + ")",
                    level);
        }

        @Override
        public @Nullable Long read(UUID id, ConsistencyLevel level) {
            UntypedResultSet read = QueryProcessor.process(
                    "SELECT value FROM " + Tables.OWN_KEYSPACE + ".probe WHERE id = " + id, level);
            return read == null || read.isEmpty() ? null : read.one().getLong("value");
        }
    }
}
