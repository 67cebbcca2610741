package io.ringmaster.companion.task;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;

/** What this node repairs as the first replica of its ranges, and when it did. */
public final class Repairs {
    /** Nodes run in their volume. */
    private static final RepairHistory HISTORY = new RepairHistory(Path.of("repairs.json"));

    /** What replicas of other datacenters had no part in is not wholly repaired. */
    private static final RepairHistory WITHIN_DATACENTER = new RepairHistory(Path.of("repairs-within-datacenter.json"));

    private static final Duration KEPT = Duration.ofSeconds(20);
    private static final Map<String, Told> TOLD = new ConcurrentHashMap<>();

    private record Told(@Nullable Map<String, Object> answer, Instant at) {}

    private Repairs() {}

    /**
     * As {@code RingView.Repaired} in the model: over all tables of the keyspace, of the node's primary ranges. Worked out at most every
     * few seconds, as it goes through the whole ring.
     */
    public static @Nullable Map<String, Object> of(String keyspace) {
        Told told = TOLD.get(keyspace);
        if (told == null || told.at().plus(KEPT).isBefore(Instant.now())) {
            told = new Told(workOut(keyspace), Instant.now());
            TOLD.put(keyspace, told);
        }
        return told.answer();
    }

    /** @param withinDatacenter only replicas of this datacenter had a part in it */
    static void repaired(
            String keyspace, Collection<String> tables, List<Span> spans, boolean withinDatacenter, Instant at) {
        RepairHistory history = history(withinDatacenter);
        history.keepOnly(StorageService.instance.getNonSystemKeyspaces().stream()
                .flatMap(k -> tables(k).stream())
                .toList());
        history.add(tables, spans, at);
        TOLD.remove(keyspace);
    }

    private static RepairHistory history(boolean withinDatacenter) {
        return withinDatacenter ? WITHIN_DATACENTER : HISTORY;
    }

    /** @param withinDatacenter as if there were no other datacenters */
    static List<Span> primarySpans(String keyspace, boolean withinDatacenter) {
        return spans(
                withinDatacenter
                        ? StorageService.instance.getPrimaryRangesWithinDC(keyspace)
                        : StorageService.instance.getPrimaryRanges(keyspace));
    }

    /** All that this node keeps of the keyspace. */
    static List<Span> replicaSpans(String keyspace) {
        return spans(StorageService.instance.getLocalReplicas(keyspace).ranges());
    }

    private static List<Span> spans(Collection<Range<Token>> ranges) {
        return ranges.stream()
                .sorted()
                .flatMap(r -> Span.unwrapped(number(r.left), number(r.right)).stream())
                .toList();
    }

    /** {@code keyspace.table} of each. */
    static List<String> tables(String keyspace) {
        Keyspace there = Schema.instance.getKeyspaceInstance(keyspace);
        if (there == null) {
            return List.of(); // dropped meanwhile
        }
        return there.getColumnFamilyStores().stream()
                .map(t -> t.getKeyspaceName() + "." + t.getTableName())
                .sorted()
                .toList();
    }

    private static long number(Token token) {
        if (token instanceof LongToken murmur) {
            return murmur.getLongValue();
        }
        throw new IllegalStateException("only clusters with Murmur3Partitioner are repaired range by range");
    }

    private static @Nullable Map<String, Object> workOut(String keyspace) {
        List<String> tables = tables(keyspace);
        if (!(DatabaseDescriptor.getPartitioner() instanceof Murmur3Partitioner)) {
            return null;
        }
        List<Span> spans = primarySpans(keyspace, false);
        double all = spans.stream().mapToDouble(Span::length).sum();
        if (tables.isEmpty() || all == 0) {
            return null;
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put(
                "share",
                tables.stream()
                        .mapToDouble(t -> Math.min(1, HISTORY.covered(t, spans) / all))
                        .min()
                        .orElse(0));
        tables.stream()
                .flatMap(t -> HISTORY.oldest(t, spans).stream())
                .min(Instant::compareTo)
                .map(Instant::toString)
                .ifPresent(oldest -> answer.put("oldest", oldest));
        return answer;
    }

    /** When all of these tables were repaired in all of the span. */
    static Optional<Instant> wholly(Collection<String> tables, Span span, boolean withinDatacenter) {
        Instant oldest = null;
        for (String table : tables) {
            Optional<Instant> at = history(withinDatacenter).wholly(table, span);
            if (at.isEmpty()) {
                return Optional.empty();
            }
            oldest = oldest == null || at.get().isBefore(oldest) ? at.get() : oldest;
        }
        return Optional.ofNullable(oldest);
    }
}
