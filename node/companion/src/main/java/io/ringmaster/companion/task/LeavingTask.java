package io.ringmaster.companion.task;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.exceptions.RequestExecutionException;
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
    private static final int PARTITIONS_PER_READ = 200;
    private static final int LOOKS = 10;
    private static final int TIMEOUT_S = 30;
    private static final long PAUSE_MS = 2000;

    private final List<String> staying;
    private long looked;

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
        for (String keyspace : keyspaces) {
            if (Collections.disjoint(Tables.datacenters(keyspace), staying)) {
                throw new IllegalStateException("keyspace " + keyspace + " has no replicas in "
                        + String.join(", ", staying) + " and would be lost");
            }
        }
        for (String keyspace : keyspaces) {
            for (ColumnFamilyStore store : Keyspace.open(keyspace).getColumnFamilyStores()) {
                compare(store.metadata(), progress);
            }
        }
        return looked + " partitions looked at, all of them are in " + String.join(", ", staying) + " too";
    }

    private void compare(TableMetadata table, Progress progress) throws Exception {
        List<TokenRange> ranges = LocalRanges.replicas(table.keyspace);
        int reads = Math.max(1, READS / Math.max(1, ranges.size()));
        for (TokenRange range : ranges) {
            List<InetAddressAndPort> replicas = replicas(table.keyspace, range);
            long after = range.left();
            for (int read = 0; read < reads && after < range.right() && !progress.isStopped(); read++) {
                after = compare(table, new TokenRange(after, range.right()), replicas, progress);
            }
        }
    }

    private List<InetAddressAndPort> replicas(String keyspace, TokenRange range) {
        return LocalRanges.endpoints(keyspace, range, false).stream()
                .filter(e ->
                        staying.contains(DatabaseDescriptor.getEndpointSnitch().getDatacenter(e)))
                .toList();
    }

    /** Compares the start of the range, and returns its end. */
    private long compare(TableMetadata table, TokenRange range, List<InetAddressAndPort> replicas, Progress progress)
            throws Exception {
        String problem = "";
        for (int look = 0; look < LOOKS && !progress.isStopped(); look++) {
            progress.at("looks " + (look == 0 ? "at " : "again at ") + table + problem, () -> 0);
            Thread.sleep(look == 0 ? 0 : PAUSE_MS);
            awaitAll(replicas, progress);
            try {
                // what is here is read first: what is written in between is then no difference
                SortedSet<Long> here =
                        PartitionTokens.of(QueryProcessor.executeInternal(query(table), range.left(), range.right()));
                List<String> missing = new ArrayList<>();
                long end = PartitionSample.end(here, PARTITIONS_PER_READ);
                for (InetAddressAndPort replica : replicas) {
                    SortedSet<Long> there = ask(replica, table, range);
                    PartitionSample sample = PartitionSample.of(there, here, PARTITIONS_PER_READ);
                    end = Math.min(end, PartitionSample.end(there, PARTITIONS_PER_READ));
                    if (sample.local() < sample.known()) {
                        missing.add(replica.getHostAddressAndPort() + " has only " + sample);
                    }
                }
                if (missing.isEmpty()) {
                    looked += here.size();
                    return end;
                }
                problem = ": " + String.join(", ", missing);
            } catch (RequestExecutionException | ExecutionException | TimeoutException e) {
                problem = ": cannot be read: " + e.getMessage();
            }
        }
        if (progress.isStopped()) {
            return range.right();
        }
        throw new IllegalStateException("table " + table + " of " + String.join(", ", staying) + problem);
    }

    private static void awaitAll(List<InetAddressAndPort> replicas, Progress progress) throws InterruptedException {
        for (InetAddressAndPort replica : replicas) {
            while (!FailureDetector.instance.isAlive(replica) && !progress.isStopped()) {
                progress.at("waits for " + replica.getHostAddressAndPort() + ", which is down", () -> 0);
                Thread.sleep(PAUSE_MS);
            }
        }
    }

    private static SortedSet<Long> ask(InetAddressAndPort replica, TableMetadata table, TokenRange range)
            throws InterruptedException, ExecutionException, TimeoutException {
        return PartitionTokens.of(QueryProcessor.executeAsync(replica, query(table), range.left(), range.right())
                .get(TIMEOUT_S, TimeUnit.SECONDS));
    }

    /** The places are variables: Cassandra keeps each statement that it prepared. */
    private static String query(TableMetadata table) {
        return PartitionTokens.query(table, "?", "?", PARTITIONS_PER_READ);
    }

    @Override
    public void stop() {}
}
