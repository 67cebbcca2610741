package io.ringmaster.core.spec;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.Size;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sums up the sizes that a spec itself gives to parts of a node: each may be right and all together more than the node
 * has, which shows only under load. What the spec leaves to Cassandra is not counted, since Cassandra fits it to the
 * heap and the disk.
 */
final class NodeBudget {
    private static final List<String> OFF_HEAP =
            List.of("file_cache_size", "networking_cache_size", "memtable_offheap_space", "row_cache_size");
    private static final List<String> ON_DISK = List.of("commitlog_total_space", "cdc_total_space");
    private static final String HINTS = "max_hints_size_per_host";

    /** Cassandra's units; it takes no fractions. */
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(B|KiB|MiB|GiB)");

    private final ClusterSpec spec;

    private NodeBudget(ClusterSpec spec) {
        this.spec = spec;
    }

    static List<Problem> problems(ClusterSpec spec) {
        NodeBudget budget = new NodeBudget(spec);
        List<Problem> problems = new ArrayList<>();
        budget.over("node.memory", spec.resources().memoryBytes(), budget.memory(), problems);
        budget.over("node.disk", spec.resources().diskBytes(), budget.disk(), problems);
        return problems;
    }

    private Map<String, Long> memory() {
        Map<String, Long> parts = new LinkedHashMap<>();
        parts.put("node.heap", spec.resources().heapBytes());
        OFF_HEAP.forEach(name -> add(parts, name, 1));
        blockCache().ifPresent(bytes -> parts.put(SpecField.BLOCK_CACHE.path, bytes));
        return parts;
    }

    private Map<String, Long> disk() {
        Map<String, Long> parts = new LinkedHashMap<>();
        ON_DISK.forEach(name -> add(parts, name, 1));
        add(parts, HINTS, spec.totalNodes() - 1);
        return parts;
    }

    private void add(Map<String, Long> parts, String name, int times) {
        OptionalLong bytes = bytes(spec.cassandraYaml().get(name));
        if (bytes.isPresent() && bytes.getAsLong() > 0 && times > 0) {
            parts.put(name + (times == 1 ? "" : " of " + times + " other nodes"), bytes.getAsLong() * times);
        }
    }

    private OptionalLong blockCache() {
        Object at = spec.cassandraYaml();
        for (String key : List.of("memtable", "configurations", "rocksdb", "parameters", "block_cache")) {
            at = at instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return Size.parse(String.valueOf(at));
    }

    private static OptionalLong bytes(@Nullable Object value) {
        Matcher size = SIZE.matcher(String.valueOf(value));
        if (!size.matches()) {
            return OptionalLong.empty();
        }
        int power = List.of("B", "KiB", "MiB", "GiB").indexOf(size.group(2));
        return OptionalLong.of(Long.parseLong(size.group(1)) << (10 * power));
    }

    private void over(String field, long has, Map<String, Long> parts, List<Problem> problems) {
        long sum = parts.values().stream().mapToLong(Long::longValue).sum();
        if (sum > has) {
            problems.add(new Problem(
                    ErrorCode.SPEC_INVALID,
                    field,
                    Size.text(has) + " is less than its parts together, " + Size.text(sum) + ": "
                            + parts.entrySet().stream()
                                    .map(e -> e.getKey() + " " + Size.text(e.getValue()))
                                    .collect(Collectors.joining(" + ")),
                    "raise " + field + " or lower one of them"));
        }
    }
}
