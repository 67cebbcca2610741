package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.FailureText;
import io.ringmaster.companion.cassandra.OpenKeyspaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Checks that this node has the partitions of the datacenter in {@code from}. At random places in this node's ranges it
 * compares the partitions stored locally with those that all replicas together return. If a table lacks some, its
 * keyspace is streamed again.
 *
 * <p>Other argument: {@code keyspaces}; those that are not replicated in both datacenters are left out.
 */
final class CompareTask implements TaskBody {
    private static final int PLACES = 16;
    private static final int PARTITIONS_PER_PLACE = 200;
    private static final int MAX_FAILURES = 5;
    private static final long RETRY_MS = 2000;

    private final Map<String, String> args;
    private final String from;

    CompareTask(Map<String, String> args) {
        if (!args.containsKey("from")) {
            throw new IllegalArgumentException("from is missing: the datacenter to compare with");
        }
        this.args = args;
        this.from = args.get("from");
    }

    @Override
    public String run(Progress progress) throws Exception {
        List<String> wanted = Tables.keyspaces(args);
        Set<String> streamed = new TreeSet<>();
        List<String> unread = new ArrayList<>();
        PartitionSample all = PartitionSample.NONE;
        for (String keyspace : Tables.replicatedIn(DatabaseDescriptor.getLocalDataCenter(), from)) {
            if (!wanted.contains(keyspace)) {
                continue;
            }
            for (ColumnFamilyStore store : OpenKeyspaces.tables(keyspace)) {
                PartitionSample sample = Tables.unlessDropped(
                                store, progress, () -> complete(store.metadata(), streamed, progress))
                        .orElse(PartitionSample.NONE);
                if (sample.unread() > 0) {
                    unread.add(sample.unread() + " of " + PLACES + " places of " + store.metadata());
                }
                all = all.plus(sample);
            }
        }
        return all + " are here" + (streamed.isEmpty() ? "" : ", streamed again: " + String.join(", ", streamed))
                + (unread.isEmpty() ? "" : ", could not read " + String.join(", ", unread))
                + Tables.missing(args);
    }

    private PartitionSample complete(TableMetadata table, Set<String> streamed, Progress progress) throws Exception {
        PartitionSample sample = compare(table, progress);
        if (sample.lacksSome() && !progress.isStopped()) {
            progress.at("streams " + table.keyspace + " again: " + sample + " of " + table + " are here", () -> 0);
            if (StreamTask.rebuildUnlessDropped(from, table.keyspace)) {
                streamed.add(table.keyspace);
            }
            sample = compare(table, progress);
        }
        if (sample.lacksMany()) {
            throw new IllegalStateException("table " + table + ": " + sample + " are here, though keyspace "
                    + table.keyspace + " was streamed from " + from);
        }
        return sample;
    }

    private static PartitionSample compare(TableMetadata table, Progress progress) throws InterruptedException {
        List<TokenRange> ranges = LocalRanges.replicas(table.keyspace);
        PartitionSample sample = PartitionSample.NONE;
        for (int place = 0; place < PLACES && !ranges.isEmpty() && !progress.isStopped(); place++) {
            TokenRange range = ranges.get(ThreadLocalRandom.current().nextInt(ranges.size()));
            sample = sample.plus(sample(table, range, progress));
        }
        return sample;
    }

    private static PartitionSample sample(TableMetadata table, TokenRange range, Progress progress)
            throws InterruptedException {
        long after = ThreadLocalRandom.current().nextLong(range.left(), range.right());
        String query = PartitionTokens.query(table, after, range.right(), PARTITIONS_PER_PLACE);
        // the local read goes first: the read at ALL repairs the rows that it finds missing
        SortedSet<Long> local = PartitionTokens.of(QueryProcessor.executeInternal(query));
        return readAtAll(query, table, progress)
                .map(known -> PartitionSample.of(local, known, PARTITIONS_PER_PLACE))
                .orElse(PartitionSample.UNREAD);
    }

    /** Empty if the place cannot be read, for example because of too many tombstones. */
    private static Optional<SortedSet<Long>> readAtAll(String query, TableMetadata table, Progress progress)
            throws InterruptedException {
        int failures = 0;
        while (!progress.isStopped() && failures < MAX_FAILURES) {
            progress.at("looks at " + table, () -> 0);
            try {
                return Optional.of(PartitionTokens.of(QueryProcessor.process(query, ConsistencyLevel.ALL)));
            } catch (RequestExecutionException e) {
                failures += e instanceof UnavailableException ? 0 : 1;
                progress.at("waits for all replicas of " + table + ": " + FailureText.of(e), () -> 0);
                Thread.sleep(RETRY_MS);
            }
        }
        return Optional.empty();
    }

    @Override
    public void stop() {}
}
