package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.OpenKeyspaces;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Checks, before this node's datacenter leaves, that every replica in the datacenters in {@code staying} has the
 * partitions that this node has. It changes nothing: each replica is asked alone, so no read repairs another one. A
 * repair has sent the rows before; this finds a replica that it did not reach.
 *
 * <p>It goes through the ranges of this node from their start: the whole of a small table, {@link #READS} places of a
 * large one. Nothing may be missing. A partition that is on its way, or deleted meanwhile, is looked at again.
 */
final class LeavingTask implements TaskBody {
    private static final int READS = 500;
    private static final int TIMEOUT_S = 30;
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final List<String> staying;

    LeavingTask(Map<String, String> args) {
        this.staying = Tables.list(args, "staying");
        if (staying.isEmpty()) {
            throw new IllegalArgumentException("staying is empty: the datacenters to compare with");
        }
    }

    @Override
    public String run(Progress progress) throws Exception {
        String here = DatabaseDescriptor.getLocalDataCenter();
        List<String> keyspaces = Tables.keyspacesWithRows().stream()
                .filter(k -> Tables.datacenters(k).contains(here))
                .toList();
        keyspaces.forEach(k -> requireStaying(k, Tables.datacenters(k), staying));
        long looked = 0;
        for (String keyspace : keyspaces) {
            for (ColumnFamilyStore store : OpenKeyspaces.tables(keyspace)) {
                looked += Tables.unlessDropped(store, progress, () -> compare(store.metadata(), progress))
                        .orElse(0L);
            }
        }
        return looked + " partitions looked at, all of them are in " + String.join(", ", staying) + " too";
    }

    /** Checked for all keyspaces before any is compared: one without a staying replica has nothing to compare with. */
    static void requireStaying(String keyspace, Set<String> datacenters, List<String> staying) {
        if (Collections.disjoint(datacenters, staying)) {
            throw new IllegalStateException("keyspace " + keyspace + " has no replicas in " + String.join(", ", staying)
                    + " and would be lost");
        }
    }

    /** @return the number of partitions looked at */
    private long compare(TableMetadata table, Progress progress) throws InterruptedException {
        long partitions = 0;
        List<TokenRange> ranges = LocalRanges.replicas(table.keyspace);
        int reads = Math.max(1, READS / Math.max(1, ranges.size()));
        for (TokenRange range : ranges) {
            PartitionComparison comparison = comparison(table, range, progress);
            long after = range.left();
            for (int read = 0; read < reads && after < range.right() && !progress.isStopped(); read++) {
                PartitionComparison.Outcome found = comparison.compare(new TokenRange(after, range.right()), progress);
                partitions += found.partitions();
                after = found.end();
            }
        }
        return partitions;
    }

    private PartitionComparison comparison(TableMetadata table, TokenRange range, Progress progress) {
        String query = query(table);
        Map<String, PartitionComparison.Read> replicas = new TreeMap<>();
        for (InetAddressAndPort replica : LocalRanges.endpoints(table.keyspace, range, false)) {
            if (staying.contains(DatabaseDescriptor.getEndpointSnitch().getDatacenter(replica))) {
                replicas.put(replica.getHostAddressAndPort(), part -> ask(replica, query, part, progress));
            }
        }
        return new PartitionComparison(
                table + " of " + String.join(", ", staying),
                part -> PartitionTokens.of(QueryProcessor.executeInternal(query, part.left(), part.right())),
                replicas,
                PAUSE);
    }

    private static SortedSet<Long> ask(InetAddressAndPort replica, String query, TokenRange part, Progress progress)
            throws InterruptedException, ExecutionException, TimeoutException {
        while (!FailureDetector.instance.isAlive(replica) && !progress.isStopped()) {
            progress.at("waits for " + replica.getHostAddressAndPort() + ", which is down", () -> 0);
            Thread.sleep(PAUSE.toMillis());
        }
        return PartitionTokens.of(QueryProcessor.executeAsync(replica, query, part.left(), part.right())
                .get(TIMEOUT_S, TimeUnit.SECONDS));
    }

    /** The places are variables: Cassandra keeps each statement that it prepared. */
    private static String query(TableMetadata table) {
        return PartitionTokens.query(table, "?", "?", PartitionComparison.PARTITIONS_PER_READ);
    }

    @Override
    public void stop() {}
}
