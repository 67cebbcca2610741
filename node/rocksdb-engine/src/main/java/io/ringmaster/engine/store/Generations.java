package io.ringmaster.engine.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The numbers of the column families that hold a table's data. A truncation or an export to sstables starts a new
 * generation; the old one is dropped when that is complete.
 *
 * @param current the generation of new writes
 * @param exporting generations whose export to sstables is not complete
 */
record Generations(int current, List<Integer> exporting) {
    static Generations read(String text) {
        List<Integer> numbers =
                Arrays.stream(text.split(" ", -1)).map(Integer::valueOf).toList();
        return new Generations(numbers.get(0), numbers.subList(1, numbers.size()));
    }

    String text() {
        List<String> numbers = new ArrayList<>(List.of(String.valueOf(current)));
        exporting.forEach(number -> numbers.add(String.valueOf(number)));
        return String.join(" ", numbers);
    }

    Generations next(boolean isExport) {
        List<Integer> kept = new ArrayList<>(exporting);
        if (isExport) {
            kept.add(current);
        }
        return new Generations(current + 1, kept);
    }

    Generations without(int exported) {
        return new Generations(
                current, exporting.stream().filter(number -> number != exported).toList());
    }
}
