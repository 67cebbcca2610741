package io.ringmaster.engine.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The numbers of the column families that hold a table's data. A truncation or an export to sstables starts a new
 * generation; the old one is dropped when that is complete.
 *
 * @param current the generation of new writes
 * @param exporting generations whose export to sstables is not complete
 * @param truncated generations whose truncation is not recorded yet, with the record of the truncation before
 */
record Generations(int current, List<Integer> exporting, Map<Integer, Long> truncated) {
    static final Generations FIRST = new Generations(1, List.of(), Map.of());

    private static final char RECORD = '@';

    static Generations read(String text) {
        List<Integer> numbers = new ArrayList<>();
        Map<Integer, Long> truncated = new TreeMap<>();
        for (String part : text.split(" ", -1)) {
            int end = part.indexOf(RECORD);
            if (end < 0) {
                numbers.add(Integer.valueOf(part));
            } else {
                truncated.put(Integer.valueOf(part.substring(0, end)), Long.valueOf(part.substring(end + 1)));
            }
        }
        return new Generations(numbers.get(0), numbers.subList(1, numbers.size()), truncated);
    }

    String text() {
        List<String> parts = new ArrayList<>(List.of(String.valueOf(current)));
        exporting.forEach(number -> parts.add(String.valueOf(number)));
        truncated.forEach((number, record) -> parts.add(number + String.valueOf(RECORD) + record));
        return String.join(" ", parts);
    }

    boolean has(int generation) {
        return generation == current || exporting.contains(generation) || truncated.containsKey(generation);
    }

    /** A new generation; the old one will be deleted. */
    Generations next() {
        return new Generations(current + 1, exporting, truncated);
    }

    /** A new generation; the current one will be exported. */
    Generations nextForExport() {
        return new Generations(current + 1, with(current), truncated);
    }

    /** @param record of the last truncation before */
    Generations nextForTruncation(long record) {
        Map<Integer, Long> more = new TreeMap<>(truncated);
        more.put(current, record);
        return new Generations(current + 1, exporting, more);
    }

    private List<Integer> with(int generation) {
        List<Integer> more = new ArrayList<>(exporting);
        more.add(generation);
        return more;
    }

    /** Undoes the truncation of a generation: it must move back into the current one. */
    Generations undoTruncation(int generation) {
        Generations without = withoutTruncated(generation);
        return new Generations(current, with(generation), without.truncated);
    }

    Generations withoutTruncated(int generation) {
        Map<Integer, Long> left = new TreeMap<>(truncated);
        left.remove(generation);
        return new Generations(current, exporting, left);
    }

    Generations withoutExported(int generation) {
        return new Generations(
                current,
                exporting.stream().filter(number -> number != generation).toList(),
                truncated);
    }
}
