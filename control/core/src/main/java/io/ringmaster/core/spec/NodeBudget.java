package io.ringmaster.core.spec;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.Size;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sums up the sizes that a spec itself gives to parts of a node: each may be right and all together more than the node
 * has, which shows only under load. What the spec leaves to Cassandra is not counted, since Cassandra fits it to the
 * heap and the disk. A spec that exceeds the node by no more than its former version is no problem: a cluster that runs
 * so must be changeable.
 */
final class NodeBudget {
    private static final List<String> OFF_HEAP = List.of("file_cache_size", "networking_cache_size", "row_cache_size");

    /** Cassandra's units; it takes no fractions. */
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(B|KiB|MiB|GiB)");

    private final ClusterSpec spec;

    private NodeBudget(ClusterSpec spec) {
        this.spec = spec;
    }

    /** @param former the version before; empty for a new cluster */
    static List<Problem> problems(ClusterSpec spec, Optional<ClusterSpec> former) {
        NodeBudget budget = new NodeBudget(spec);
        Optional<NodeBudget> before = former.map(NodeBudget::new);
        return Stream.of(
                        problem(budget.memory(), before.map(NodeBudget::memory), "raise node.memory or "),
                        // the disk of a cluster that exists cannot be changed
                        problem(
                                budget.disk(),
                                before.map(NodeBudget::disk),
                                former.isEmpty() ? "raise node.disk or " : ""))
                .flatMap(Optional::stream)
                .toList();
    }

    private record Sum(String field, long has, Map<String, Long> parts) {
        long needs() {
            return parts.values().stream().mapToLong(Long::longValue).sum();
        }

        long excess() {
            return needs() - has;
        }

        /** The parts, separated by commas. */
        String text() {
            return parts.entrySet().stream()
                    .map(e -> e.getKey() + " " + Size.text(e.getValue()))
                    .collect(Collectors.joining(", "));
        }
    }

    private Sum memory() {
        Map<String, Long> parts = new LinkedHashMap<>();
        parts.put("node.heap", spec.resources().heapBytes());
        OFF_HEAP.forEach(name -> add(parts, name));
        if (text("memtable_allocation_type").startsWith("offheap")) {
            add(parts, "memtable_offheap_space");
        }
        blockCache().ifPresent(bytes -> parts.put(SpecField.BLOCK_CACHE.path, bytes));
        return new Sum("node.memory", spec.resources().memoryBytes(), parts);
    }

    private Sum disk() {
        Map<String, Long> parts = new LinkedHashMap<>();
        add(parts, "commitlog_total_space");
        if (Yaml11.truth(text("cdc_enabled")).orElse(false)) {
            add(parts, "cdc_total_space");
        }
        return new Sum("node.disk", spec.resources().diskBytes(), parts);
    }

    private String text(String name) {
        return StoredParameters.text(spec.cassandraYaml(), name).orElse("");
    }

    private void add(Map<String, Long> parts, String name) {
        OptionalLong bytes = bytes(text(name));
        if (bytes.isPresent() && bytes.getAsLong() > 0) {
            parts.put(name, bytes.getAsLong());
        }
    }

    private OptionalLong blockCache() {
        Object at = spec.cassandraYaml();
        for (String key : List.of("memtable", "configurations", "rocksdb", "parameters", "block_cache")) {
            at = at instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return Size.parse(String.valueOf(at));
    }

    private static OptionalLong bytes(String value) {
        Matcher size = SIZE.matcher(value);
        if (!size.matches()) {
            return OptionalLong.empty();
        }
        int power = List.of("B", "KiB", "MiB", "GiB").indexOf(size.group(2));
        return OptionalLong.of(Long.parseLong(size.group(1)) << (10 * power));
    }

    /** @param way the other remedy beside smaller parts, such as {@code raise node.memory or }, or nothing */
    private static Optional<Problem> problem(Sum sum, Optional<Sum> before, String way) {
        long allowed = before.map(Sum::excess).filter(excess -> excess > 0).orElse(0L);
        return sum.excess() <= allowed
                ? Optional.empty()
                : Optional.of(new Problem(
                        ErrorCode.SPEC_INVALID,
                        sum.field(),
                        Size.text(sum.has()) + " is less than its parts together, " + Size.text(sum.needs()) + ": "
                                + sum.text(),
                        way + "lower one of these sizes"));
    }
}
