package io.ringmaster.companion.task;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;

/**
 * Divides token ranges into segments, each repaired in one go. Long ranges are split. Short ranges with the same
 * replicas are grouped, because each repair costs every replica a flush and a snapshot, however little it reads.
 */
final class RepairSegments {
    /** Tolerance for lengths, which are sums of rounded fractions. */
    private static final double ROUNDING = 1.0001;

    private RepairSegments() {}

    /**
     * @param wanted the least number of segments, of about the same length; there are more where replicas differ
     * @param replicas the replicas of a range
     */
    static List<List<TokenRange>> of(List<TokenRange> ranges, int wanted, Function<TokenRange, ?> replicas) {
        double maxLength = ranges.stream().mapToDouble(TokenRange::length).sum() / Math.max(1, wanted);
        var byReplicas = new LinkedHashMap<Object, List<TokenRange>>();
        for (TokenRange range : ranges) {
            int parts = (int) Math.ceil(range.length() / (maxLength * ROUNDING));
            byReplicas
                    .computeIfAbsent(replicas.apply(range), r -> new ArrayList<>())
                    .addAll(range.split(parts));
        }
        return byReplicas.values().stream()
                .flatMap(parts -> group(parts, maxLength).stream())
                .toList();
    }

    private static List<List<TokenRange>> group(List<TokenRange> parts, double maxLength) {
        List<List<TokenRange>> segments = new ArrayList<>();
        double length = Double.POSITIVE_INFINITY;
        for (TokenRange part : parts) {
            length += part.length();
            if (length > maxLength * ROUNDING) {
                segments.add(new ArrayList<>());
                length = part.length();
            }
            segments.get(segments.size() - 1).add(part);
        }
        return segments;
    }
}
