package io.ringmaster.companion.task;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Looks whether the partitions that the datacenter in {@code from} has are here too: at places drawn at random in this node's ranges, what it
 * has itself is compared with what all replicas together know. The keyspace of a table that lacks some is streamed once more. Other arguments:
 * {@code keyspaces}, of which those are left out that are not kept in both datacenters.
 */
final class CompareWork implements Work {
    private static final int PLACES = 16;
    private static final int PARTITIONS = 200;
    private static final int MOST_FAILURES = 5;
    private static final long AGAIN_MS = 2000;

    private final Map<String, String> args;
    private final String from;

    CompareWork(Map<String, String> args) {
        if (!args.containsKey("from")) {
            throw new IllegalArgumentException("from is missing: the datacenter to compare with");
        }
        this.args = args;
        this.from = args.get("from");
    }

    @Override
    public String run(Progress progress) throws Exception {
        List<String> wanted = Tables.keyspaces(args);
        Set<String> again = new TreeSet<>();
        List<String> unread = new ArrayList<>();
        Counted all = Counted.NONE;
        for (String keyspace : Tables.keptIn(DatabaseDescriptor.getLocalDataCenter(), from)) {
            if (!wanted.contains(keyspace)) {
                continue;
            }
            for (ColumnFamilyStore store : Keyspace.open(keyspace).getColumnFamilyStores()) {
                TableMetadata table = store.metadata();
                Counted counted = compare(table, progress);
                if (counted.lacksSome() && !progress.isStopped()) {
                    progress.at("streams " + keyspace + " again: " + counted + " of " + table + " are here", () -> 0);
                    StreamWork.rebuild(from, keyspace);
                    again.add(keyspace);
                    counted = compare(table, progress);
                }
                if (counted.lacksMany()) {
                    throw new IllegalStateException("table " + table + ": " + counted + " are here, though keyspace "
                            + keyspace + " was streamed from " + from);
                }
                if (counted.unread() > 0) {
                    unread.add(counted.unread() + " of " + PLACES + " places of " + table);
                }
                all = all.and(counted);
            }
        }
        return all + " are here" + (again.isEmpty() ? "" : ", streamed again: " + String.join(", ", again))
                + (unread.isEmpty() ? "" : ", could not read " + String.join(", ", unread));
    }

    private static Counted compare(TableMetadata table, Progress progress) throws InterruptedException {
        List<Span> spans = Repairs.replicaSpans(table.keyspace);
        Counted counted = Counted.NONE;
        for (int place = 0; place < PLACES && !spans.isEmpty() && !progress.isStopped(); place++) {
            Span span = spans.get(ThreadLocalRandom.current().nextInt(spans.size()));
            counted = counted.and(look(table, span, progress));
        }
        return counted;
    }

    private static Counted look(TableMetadata table, Span span, Progress progress) throws InterruptedException {
        String token = table.partitionKeyColumns().stream()
                .map(column -> column.name.toCQLString())
                .collect(Collectors.joining(", ", "token(", ")"));
        long after = ThreadLocalRandom.current().nextLong(span.left(), span.right());
        String query = "SELECT DISTINCT " + token + " AS place FROM " + table + " WHERE " + token + " > " + after
                + " AND " + token + " <= " + span.right() + " LIMIT " + PARTITIONS;
        // in this order: a read by all replicas mends what it finds missing
        SortedSet<Long> here = tokens(QueryProcessor.executeInternal(query));
        return knownToAll(query, table, progress)
                .map(there -> Counted.of(here, there, PARTITIONS))
                .orElse(Counted.UNREAD);
    }

    /** Empty if the place cannot be read, such as one among too many tombstones. */
    private static Optional<SortedSet<Long>> knownToAll(String query, TableMetadata table, Progress progress)
            throws InterruptedException {
        int failures = 0;
        while (!progress.isStopped() && failures < MOST_FAILURES) {
            progress.at("looks at " + table, () -> 0);
            try {
                return Optional.of(tokens(QueryProcessor.process(query, ConsistencyLevel.ALL)));
            } catch (RequestExecutionException e) {
                failures += e instanceof UnavailableException ? 0 : 1;
                progress.at("waits for all replicas of " + table + ": " + e.getMessage(), () -> 0);
                Thread.sleep(AGAIN_MS);
            }
        }
        return Optional.empty();
    }

    private static SortedSet<Long> tokens(UntypedResultSet rows) {
        SortedSet<Long> tokens = new TreeSet<>();
        rows.forEach(row -> tokens.add(row.getLong("place")));
        return tokens;
    }

    @Override
    public void stop() {}
}
