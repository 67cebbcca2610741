package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.OpenKeyspaces;
import io.ringmaster.companion.task.RepairHistory.Replicated;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The repairs that this node coordinated, and how much of its primary ranges they cover. */
public final class Repairs {
    private static final Logger LOG = LoggerFactory.getLogger(Repairs.class);

    /** The working directory of a node is its volume. */
    private static final RepairHistory HISTORY = new RepairHistory(Path.of("repairs.json"), InstantSource.system());

    /** Repairs without the replicas of other datacenters; they do not count as complete. */
    private static final RepairHistory WITHIN_DATACENTER =
            new RepairHistory(Path.of("repairs-within-datacenter.json"), InstantSource.system());

    /** By keyspace, as it was computed last. */
    private static final Map<String, Map<String, Object>> COVERAGE = new ConcurrentHashMap<>();

    /** The keyspaces with a repair since their coverage was computed. */
    private static final Set<String> CHANGED = ConcurrentHashMap.newKeySet();

    private Repairs() {}

    /**
     * The fields of the model's {@code RingView.Repaired}, over all tables of the keyspace and the node's primary
     * ranges, as they were at the last {@link #refresh}. It computes nothing.
     */
    public static @Nullable Map<String, Object> of(String keyspace) {
        return COVERAGE.get(keyspace);
    }

    /** Computes what {@link #of} answers. It walks the tables and the whole ring, which may take seconds. */
    public static void refresh(Collection<String> keyspaces) {
        COVERAGE.keySet().retainAll(keyspaces);
        refreshAll(keyspaces);
    }

    /** At the end of a repair, so that its result does not show before what it repaired. */
    static void refreshChanged() {
        refreshAll(List.copyOf(CHANGED));
    }

    private static void refreshAll(Collection<String> keyspaces) {
        for (String keyspace : keyspaces) {
            try {
                refresh(keyspace);
            } catch (RuntimeException | AssertionError e) { // the other keyspaces are known all the same
                LOG.warn("Cannot compute how far keyspace {} is repaired", keyspace, e);
            }
        }
    }

    private static synchronized void refresh(String keyspace) {
        CHANGED.remove(keyspace);
        Map<String, Object> fields = coverage(keyspace);
        if (fields == null) {
            COVERAGE.remove(keyspace);
        } else {
            COVERAGE.put(keyspace, fields);
        }
    }

    /**
     * Records a finished repair.
     *
     * @param ranges with the replicas that took part
     * @param withinDatacenter whether only replicas of this datacenter took part
     * @param at the repair covers what was written before
     * @param request what it was for
     */
    static void repaired(
            String keyspace,
            Collection<TableId> tables,
            List<Replicated> ranges,
            boolean withinDatacenter,
            Instant at,
            String request) {
        RepairHistory history = history(withinDatacenter);
        history.keepOnly(StorageService.instance.getNonSystemKeyspaces().stream()
                .flatMap(k -> ids(k).stream())
                .toList());
        history.add(tables, ranges, at, request);
        CHANGED.add(keyspace);
    }

    private static List<TableId> ids(String keyspace) {
        return OpenKeyspaces.tables(keyspace).stream().map(Tables::id).toList();
    }

    private static RepairHistory history(boolean withinDatacenter) {
        return withinDatacenter ? WITHIN_DATACENTER : HISTORY;
    }

    private static @Nullable Map<String, Object> coverage(String keyspace) {
        List<TableId> tables = ids(keyspace);
        if (!(DatabaseDescriptor.getPartitioner() instanceof Murmur3Partitioner)) {
            return null;
        }
        List<Replicated> ranges;
        try {
            ranges = LocalRanges.primary(keyspace, false).stream()
                    .map(range -> replicated(keyspace, range, false))
                    .toList();
        } catch (RuntimeException | AssertionError e) {
            if (OpenKeyspaces.open(keyspace).isPresent()) {
                throw e;
            }
            return null; // dropped in the meantime
        }
        double total = ranges.stream().mapToDouble(r -> r.range().length()).sum();
        if (tables.isEmpty() || total == 0) {
            return null;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(
                "share",
                tables.stream()
                        .mapToDouble(t -> Math.min(1, HISTORY.covered(t, ranges) / total))
                        .min()
                        .orElse(0));
        tables.stream()
                .flatMap(t -> HISTORY.oldest(t, ranges).stream())
                .min(Instant::compareTo)
                .map(Instant::toString)
                .ifPresent(oldest -> fields.put("oldest", oldest));
        return fields;
    }

    /** The range with the host ids of its replicas now. */
    static Replicated replicated(String keyspace, TokenRange range, boolean withinDatacenter) {
        return new Replicated(
                range,
                LocalRanges.endpoints(keyspace, range, withinDatacenter).stream()
                        .map(e -> String.valueOf(StorageService.instance.getHostIdForEndpoint(e)))
                        .collect(Collectors.toSet()));
    }

    /** As {@link RepairHistory#completeSince}, over all of the tables. */
    static Optional<Instant> completeSince(
            Collection<TableId> tables, Replicated range, boolean withinDatacenter, String request) {
        Instant oldest = null;
        for (TableId table : tables) {
            Optional<Instant> at = history(withinDatacenter).completeSince(table, range, request);
            if (at.isEmpty()) {
                return Optional.empty();
            }
            oldest = oldest == null || at.get().isBefore(oldest) ? at.get() : oldest;
        }
        return Optional.ofNullable(oldest);
    }
}
