package io.ringmaster.companion.task;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.cassandra.schema.TableId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of this node's last repair of each range of each table, the request that it was for, and the replicas that
 * took part, stored on its volume. A repair counts only while all replicas of the range took part in it: the
 * replacement of one of them, and a newcomer that took the range over, have another host id. A table keeps at most
 * {@link #RANGES_PER_TABLE} ranges; beyond that, neighbouring ranges are merged and keep the older time of the two, the
 * replicas that took part in both, and the request if it is the same.
 *
 * <p>Tables are known by their id: one that is dropped and created again has other rows, none of them repaired. A time
 * from the future proves nothing, because the clock was wrong when it was recorded or is wrong now: such a range counts
 * as never repaired.
 */
final class RepairHistory {
    static final int RANGES_PER_TABLE = 128;
    private static final Logger LOG = LoggerFactory.getLogger(RepairHistory.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final InstantSource clock;

    /** By the text of the id, as in the file. Former releases wrote names, which no table is known by any more. */
    private final Map<String, List<Repaired>> tables;

    /**
     * @param at when the repair started: it does not cover later writes
     * @param hosts the host ids of the replicas that took part
     * @param request what it was repaired for; empty if that is not known
     */
    record Repaired(TokenRange range, Instant at, Set<String> hosts, String request) {
        Repaired {
            hosts = Set.copyOf(hosts);
        }

        private Repaired of(TokenRange part) {
            return new Repaired(part, at, hosts, request);
        }
    }

    /**
     * @param range a range with the same replicas in all its parts
     * @param hosts the host ids of its replicas
     */
    record Replicated(TokenRange range, Set<String> hosts) {}

    /**
     * @param file a missing or damaged file means that no range was repaired
     * @param clock that of the node
     */
    RepairHistory(Path file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
        this.tables = read(file);
    }

    /**
     * The time of the oldest repair in the range; empty if a part of it was never repaired. What was repaired for this
     * request has no age, whatever the clocks said: it counts as {@link Instant#MAX}.
     */
    synchronized Optional<Instant> completeSince(TableId table, Replicated replicated, String request) {
        TokenRange range = replicated.range();
        long upTo = range.left();
        for (Repaired repaired : repairs(table, replicated)) {
            if (repaired.range().left() <= upTo) {
                upTo = Math.max(upTo, repaired.range().right());
            }
        }
        return upTo < range.right()
                ? Optional.empty()
                : repairs(table, replicated).stream()
                        .map(r -> !request.isEmpty() && request.equals(r.request()) ? Instant.MAX : r.at())
                        .min(Comparator.naturalOrder());
    }

    /** The time of the oldest repair of any part of the ranges. */
    synchronized Optional<Instant> oldest(TableId table, Collection<Replicated> ranges) {
        return ranges.stream()
                .flatMap(s -> repairs(table, s).stream().map(Repaired::at))
                .min(Comparator.naturalOrder());
    }

    /** The length of all parts of the ranges that were ever repaired, in tokens. */
    synchronized double covered(TableId table, Collection<Replicated> ranges) {
        return ranges.stream()
                .mapToDouble(s -> repairs(table, s).stream()
                        .mapToDouble(r -> r.range().common(s.range()).length())
                        .sum())
                .sum();
    }

    /** The repairs of parts of the range in which all of its replicas took part. */
    private List<Repaired> repairs(TableId table, Replicated replicated) {
        return of(table.toString()).stream()
                .filter(r -> r.range().overlaps(replicated.range()) && r.hosts().containsAll(replicated.hosts()))
                .toList();
    }

    /** Records a repair. A failure to write is only logged: an unrecorded range is repaired again later. */
    synchronized void add(
            Collection<TableId> repairedTables, Collection<Replicated> ranges, Instant at, String request) {
        for (TableId table : repairedTables) {
            ranges.forEach(r -> add(table.toString(), new Repaired(r.range(), at, r.hosts(), request)));
        }
        write();
    }

    private void add(String table, Repaired repaired) {
        List<Repaired> all = new ArrayList<>();
        of(table).forEach(r -> r.range().without(repaired.range()).forEach(rest -> all.add(r.of(rest))));
        all.add(repaired);
        all.sort(Comparator.comparing(r -> r.range().left()));
        while (all.size() > RANGES_PER_TABLE) {
            shrink(all);
        }
        tables.put(table, all);
    }

    /** Removes the tables that no longer exist. */
    synchronized void keepOnly(Collection<TableId> known) {
        tables.keySet().retainAll(known.stream().map(TableId::toString).toList());
    }

    /** Merges the two adjacent ranges nearest in time; if none are adjacent, removes the oldest range. */
    private static void shrink(List<Repaired> all) {
        int best = -1;
        Duration bestApart = null;
        for (int i = 0; i + 1 < all.size(); i++) {
            if (all.get(i).range().touches(all.get(i + 1).range())) {
                Duration apart =
                        Duration.between(all.get(i).at(), all.get(i + 1).at()).abs();
                if (bestApart == null || apart.compareTo(bestApart) < 0) {
                    best = i;
                    bestApart = apart;
                }
            }
        }
        if (best < 0) {
            all.remove(all.stream().min(Comparator.comparing(Repaired::at)).orElseThrow());
            return;
        }
        Repaired one = all.get(best);
        Repaired next = all.remove(best + 1);
        Instant older = one.at().isBefore(next.at()) ? one.at() : next.at();
        Set<String> both = new TreeSet<>(one.hosts());
        both.retainAll(next.hosts());
        String request = one.request().equals(next.request()) ? one.request() : "";
        all.set(best, new Repaired(one.range().merge(next.range()), older, both, request));
    }

    /** Of a table. What is recorded for a time to come is removed: when that has come, it would prove something. */
    private List<Repaired> of(String table) {
        Instant now = clock.instant();
        List<Repaired> recorded = tables.getOrDefault(table, List.of());
        List<Repaired> past =
                recorded.stream().filter(r -> !r.at().isAfter(now)).toList();
        if (past.size() < recorded.size()) {
            tables.put(table, past);
            write();
        }
        return past;
    }

    private void write() {
        Map<String, Object> all = new TreeMap<>();
        tables.forEach((table, ranges) ->
                all.put(table, ranges.stream().map(RepairHistory::plain).toList()));
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.write(next, JSON.writeValueAsBytes(all));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.warn("Cannot write the repair history {}: {}", file, e.toString());
        }
    }

    private static Map<String, Object> plain(Repaired repaired) {
        Map<String, Object> plain = new LinkedHashMap<>();
        plain.put("left", repaired.range().left());
        plain.put("right", repaired.range().right());
        plain.put("at", repaired.at().toString());
        plain.put("hosts", new TreeSet<>(repaired.hosts()));
        plain.put("request", repaired.request());
        return plain;
    }

    private static Map<String, List<Repaired>> read(Path file) {
        Map<String, List<Repaired>> tables = new TreeMap<>();
        try {
            JSON.readTree(Files.readAllBytes(file)).properties().forEach(table -> {
                List<Repaired> ranges = new ArrayList<>();
                for (JsonNode node : table.getValue()) {
                    Set<String> hosts = new TreeSet<>();
                    // older releases recorded none, and no request
                    node.path("hosts").forEach(host -> hosts.add(host.asText()));
                    ranges.add(new Repaired(
                            new TokenRange(
                                    node.path("left").asLong(),
                                    node.path("right").asLong()),
                            Instant.parse(node.path("at").asText()),
                            hosts,
                            node.path("request").asText()));
                }
                tables.put(table.getKey(), ranges);
            });
            return tables;
        } catch (NoSuchFileException e) {
            return tables;
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot read the repair history {}; its ranges count as not repaired: {}", file, e.toString());
            return new TreeMap<>();
        }
    }
}
