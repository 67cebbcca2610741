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
 * When this node last repaired each range of each table, on its volume. Bounded: of each table so many spans are kept; beyond, neighbours
 * become one with the older time of the two.
 */
final class RepairHistory {
    static final int SPANS_PER_TABLE = 128;
    private static final Logger LOG = LoggerFactory.getLogger(RepairHistory.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final Map<String, List<Repaired>> tables;

    /** @param at when the repair began: what was written later is not covered */
    record Repaired(Span span, Instant at) {}

    /** @param file damaged or missing means that nothing is known to be repaired */
    RepairHistory(Path file) {
        this.file = file;
        this.tables = read(file);
    }

    /** When all of the span was repaired last; empty when some of it never was. */
    synchronized Optional<Instant> wholly(String table, Span span) {
        long upTo = span.left();
        for (Repaired repaired : of(table)) {
            if (repaired.span().left() <= upTo) {
                upTo = Math.max(upTo, repaired.span().right());
            }
        }
        return upTo < span.right() ? Optional.empty() : oldest(table, List.of(span));
    }

    /** The oldest repair of any part of the spans. */
    synchronized Optional<Instant> oldest(String table, Collection<Span> spans) {
        return spans.stream()
                .flatMap(s ->
                        of(table).stream().filter(r -> r.span().overlaps(s)).map(Repaired::at))
                .min(Comparator.naturalOrder());
    }

    /** How much of the spans was ever repaired, in tokens. */
    synchronized double covered(String table, Collection<Span> spans) {
        return spans.stream()
                .mapToDouble(s -> of(table).stream()
                        .filter(r -> r.span().overlaps(s))
                        .mapToDouble(r -> r.span().common(s).length())
                        .sum())
                .sum();
    }

    /** It was repaired. What cannot be kept on disk is repaired again another time, so a failure to write is only logged. */
    synchronized void add(Collection<String> ofTables, Collection<Span> spans, Instant at) {
        for (String table : ofTables) {
            spans.forEach(span -> add(table, span, at));
        }
        write();
    }

    private void add(String table, Span span, Instant at) {
        List<Repaired> spans = new ArrayList<>();
        of(table).forEach(r -> r.span().without(span).forEach(rest -> spans.add(new Repaired(rest, r.at()))));
        spans.add(new Repaired(span, at));
        spans.sort(Comparator.comparing(r -> r.span().left()));
        while (spans.size() > SPANS_PER_TABLE) {
            shrink(spans);
        }
        tables.put(table, spans);
    }

    /** Forgets tables that are not there any more. */
    synchronized void keepOnly(Collection<String> known) {
        tables.keySet().retainAll(known);
    }

    /** One fewer: the two neighbours nearest in time become one; where none touch, the oldest goes. */
    private static void shrink(List<Repaired> spans) {
        int best = -1;
        Duration bestApart = null;
        for (int i = 0; i + 1 < spans.size(); i++) {
            if (spans.get(i).span().touches(spans.get(i + 1).span())) {
                Duration apart = Duration.between(
                                spans.get(i).at(), spans.get(i + 1).at())
                        .abs();
                if (bestApart == null || apart.compareTo(bestApart) < 0) {
                    best = i;
                    bestApart = apart;
                }
            }
        }
        if (best < 0) {
            spans.remove(spans.stream().min(Comparator.comparing(Repaired::at)).orElseThrow());
            return;
        }
        Repaired one = spans.get(best);
        Repaired next = spans.remove(best + 1);
        Instant older = one.at().isBefore(next.at()) ? one.at() : next.at();
        spans.set(best, new Repaired(one.span().with(next.span()), older));
    }

    private List<Repaired> of(String table) {
        return tables.getOrDefault(table, List.of());
    }

    private void write() {
        Map<String, Object> all = new TreeMap<>();
        tables.forEach((table, spans) ->
                all.put(table, spans.stream().map(RepairHistory::plain).toList()));
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.write(next, JSON.writeValueAsBytes(all));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.warn("Cannot keep what was repaired in {}: {}", file, e.toString());
        }
    }

    private static Map<String, Object> plain(Repaired repaired) {
        Map<String, Object> plain = new LinkedHashMap<>();
        plain.put("left", repaired.span().left());
        plain.put("right", repaired.span().right());
        plain.put("at", repaired.at().toString());
        return plain;
    }

    private static Map<String, List<Repaired>> read(Path file) {
        Map<String, List<Repaired>> tables = new TreeMap<>();
        try {
            JSON.readTree(Files.readAllBytes(file)).properties().forEach(table -> {
                List<Repaired> spans = new ArrayList<>();
                for (JsonNode node : table.getValue()) {
                    spans.add(new Repaired(
                            new Span(
                                    node.path("left").asLong(),
                                    node.path("right").asLong()),
                            Instant.parse(node.path("at").asText())));
                }
                tables.put(table.getKey(), spans);
            });
            return tables;
        } catch (NoSuchFileException e) {
            return tables;
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot use {}; ranges count as not repaired: {}", file, e.toString());
            return new TreeMap<>();
        }
    }
}
