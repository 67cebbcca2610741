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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of this node's last repair of each range of each table, stored on its volume. A table keeps at most
 * {@link #RANGES_PER_TABLE} ranges; beyond that, neighbouring ranges are merged and keep the older time of the two.
 */
final class RepairHistory {
    static final int RANGES_PER_TABLE = 128;
    private static final Logger LOG = LoggerFactory.getLogger(RepairHistory.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final Map<String, List<Repaired>> tables;

    /** @param at when the repair started: it does not cover later writes */
    record Repaired(TokenRange range, Instant at) {}

    /** @param file a missing or damaged file means that no range was repaired */
    RepairHistory(Path file) {
        this.file = file;
        this.tables = read(file);
    }

    /** The time of the oldest repair in the range; empty if a part of it was never repaired. */
    synchronized Optional<Instant> completeSince(String table, TokenRange range) {
        long upTo = range.left();
        for (Repaired repaired : of(table)) {
            if (repaired.range().left() <= upTo) {
                upTo = Math.max(upTo, repaired.range().right());
            }
        }
        return upTo < range.right() ? Optional.empty() : oldest(table, List.of(range));
    }

    /** The time of the oldest repair of any part of the ranges. */
    synchronized Optional<Instant> oldest(String table, Collection<TokenRange> ranges) {
        return ranges.stream()
                .flatMap(s ->
                        of(table).stream().filter(r -> r.range().overlaps(s)).map(Repaired::at))
                .min(Comparator.naturalOrder());
    }

    /** The length of all parts of the ranges that were ever repaired, in tokens. */
    synchronized double covered(String table, Collection<TokenRange> ranges) {
        return ranges.stream()
                .mapToDouble(s -> of(table).stream()
                        .filter(r -> r.range().overlaps(s))
                        .mapToDouble(r -> r.range().common(s).length())
                        .sum())
                .sum();
    }

    /** Records a repair. A failure to write is only logged: an unrecorded range is repaired again later. */
    synchronized void add(Collection<String> repairedTables, Collection<TokenRange> ranges, Instant at) {
        for (String table : repairedTables) {
            ranges.forEach(range -> add(table, range, at));
        }
        write();
    }

    private void add(String table, TokenRange range, Instant at) {
        List<Repaired> all = new ArrayList<>();
        of(table).forEach(r -> r.range().without(range).forEach(rest -> all.add(new Repaired(rest, r.at()))));
        all.add(new Repaired(range, at));
        all.sort(Comparator.comparing(r -> r.range().left()));
        while (all.size() > RANGES_PER_TABLE) {
            shrink(all);
        }
        tables.put(table, all);
    }

    /** Removes the tables that no longer exist. */
    synchronized void keepOnly(Collection<String> known) {
        tables.keySet().retainAll(known);
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
        all.set(best, new Repaired(one.range().merge(next.range()), older));
    }

    private List<Repaired> of(String table) {
        return tables.getOrDefault(table, List.of());
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
        return plain;
    }

    private static Map<String, List<Repaired>> read(Path file) {
        Map<String, List<Repaired>> tables = new TreeMap<>();
        try {
            JSON.readTree(Files.readAllBytes(file)).properties().forEach(table -> {
                List<Repaired> ranges = new ArrayList<>();
                for (JsonNode node : table.getValue()) {
                    ranges.add(new Repaired(
                            new TokenRange(
                                    node.path("left").asLong(),
                                    node.path("right").asLong()),
                            Instant.parse(node.path("at").asText())));
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
