package io.ringmaster.companion.task;

import com.google.common.collect.Multimap;
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
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.StorageService;

/**
 * Writes rows and reads them back through this node as coordinator, at the levels in {@code consistency}, in a keyspace of Ringmaster's
 * own that every datacenter keeps three times, or as often as it has nodes. It makes that keyspace when it is not there.
 */
final class ProbeWork implements Work {
    static final String KEYSPACE = "ringmaster";
    /** Of all clusters and versions: two nodes that make the table at once make the same one. */
    private static final String TABLE_ID = "8f2d1c60-6f0a-11f0-9a4b-1b3c5d7e9f10";

    private static final int REPLICAS = 3;
    private static final int ROWS = 16;
    private static final Duration SCHEMA_PATIENCE = Duration.ofSeconds(15);
    private static final long AGAIN_MS = 200;

    private final List<ConsistencyLevel> levels;

    ProbeWork(Map<String, String> args) {
        List<String> names = Tables.list(args, "consistency");
        this.levels = (names.isEmpty() ? List.of("LOCAL_QUORUM") : names)
                .stream().map(ConsistencyLevel::valueOf).toList();
    }

    @Override
    public String run(Progress progress) throws Exception {
        boolean made = prepare();
        List<String> results = new ArrayList<>();
        for (ConsistencyLevel level : levels) {
            progress.at("probes at " + level, () -> 0);
            results.add(level + " in " + probe(level, made) + " ms");
        }
        return "probe passed: " + String.join(", ", results);
    }

    @Override
    public void stop() {}

    /** @return whether the schema was changed, which the replicas may learn a moment later */
    private static boolean prepare() {
        Map<String, Integer> wanted = replication();
        KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(KEYSPACE);
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
            change((keyspace == null ? "CREATE KEYSPACE IF NOT EXISTS " : "ALTER KEYSPACE ") + KEYSPACE
                    + " WITH replication = " + replication);
        }
        change(
                "CREATE TABLE IF NOT EXISTS " + KEYSPACE + ".probe (id uuid PRIMARY KEY, value bigint) WITH id = "
                        + TABLE_ID
                        + " AND default_time_to_live = 86400 AND comment = 'written by Ringmaster between two nodes of an operation'");
        return true;
    }

    private static void change(String statement) {
        QueryProcessor.process(statement, ConsistencyLevel.LOCAL_ONE);
    }

    private static Map<String, Integer> replication() {
        Multimap<String, InetAddressAndPort> nodes = StorageService.instance
                .getTokenMetadata()
                .cloneOnlyTokenMap()
                .getTopology()
                .getDatacenterEndpoints();
        Map<String, Integer> replicas = new TreeMap<>();
        nodes.asMap().forEach((datacenter, there) -> replicas.put(datacenter, Math.min(REPLICAS, there.size())));
        return replicas;
    }

    /** @return how long it took, in milliseconds */
    private static long probe(ConsistencyLevel level, boolean patient) throws InterruptedException {
        long deadline = System.nanoTime() + SCHEMA_PATIENCE.toNanos();
        while (true) {
            long began = System.nanoTime();
            try {
                for (int i = 0; i < ROWS; i++) {
                    row(level, began + i);
                }
                return (System.nanoTime() - began) / 1_000_000;
            } catch (RequestExecutionException e) {
                if (!patient || System.nanoTime() > deadline) {
                    throw new IllegalStateException("no answer at " + level + ": " + e.getMessage(), e);
                }
                Thread.sleep(AGAIN_MS);
            }
        }
    }

    private static void row(ConsistencyLevel level, long value) {
        UUID id = UUID.randomUUID();
        QueryProcessor.process(
                "INSERT INTO " + KEYSPACE + ".probe (id, value) VALUES (" + id + ", " + value + ")", level);
        UntypedResultSet read = QueryProcessor.process(
                "SELECT value FROM " + KEYSPACE + ".probe WHERE id = " + id,
                level == ConsistencyLevel.EACH_QUORUM ? ConsistencyLevel.QUORUM : level);
        if (read == null || read.isEmpty() || read.one().getLong("value") != value) {
            throw new IllegalStateException("a row written at " + level + " was not read back");
        }
    }
}
