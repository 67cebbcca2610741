package io.ringmaster.companion.task;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/**
 * What is repaired at a time: long spans are cut, short ones with the same replicas go together, as each repair costs every replica a flush
 * and a snapshot, however little it reads.
 */
final class Pieces {
    /** Lengths are sums of fractions. */
    private static final double ROUNDING = 1.0001;

    private Pieces() {}

    /**
     * @param wanted so many at least, of about the same length; more where replicas differ
     * @param replicas of a span
     */
    static List<List<Span>> of(List<Span> spans, int wanted, Function<Span, ?> replicas) {
        double most = spans.stream().mapToDouble(Span::length).sum() / Math.max(1, wanted);
        var alike = new LinkedHashMap<Object, List<Span>>();
        for (Span span : spans) {
            int parts = (int) Math.ceil(span.length() / (most * ROUNDING));
            alike.computeIfAbsent(replicas.apply(span), r -> new ArrayList<>()).addAll(span.split(parts));
        }
        return alike.values().stream()
                .flatMap(parts -> gathered(parts, most).stream())
                .toList();
    }

    private static List<List<Span>> gathered(List<Span> parts, double most) {
        List<List<Span>> pieces = new ArrayList<>();
        double length = Double.POSITIVE_INFINITY;
        for (Span part : parts) {
            length += part.length();
            if (length > most * ROUNDING) {
                pieces.add(new ArrayList<>());
                length = part.length();
            }
            pieces.get(pieces.size() - 1).add(part);
        }
        return pieces;
    }
}
