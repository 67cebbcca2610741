package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.page.Cells;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the figures of {@link Million}. */
record MillionRows(Measured measured) {
    static final List<MillionSize> ALL = List.of(
            new MillionSize(3, 3),
            new MillionSize(3, 4),
            new MillionSize(3, 6),
            new MillionSize(1, 1),
            new MillionSize(1, 2),
            new MillionSize(1, 3),
            new MillionSize(1, 6));

    /**
     * A size of the ring at a replication factor.
     *
     * @param nodes of the ring
     */
    record MillionSize(int factor, int nodes) {
        String key() {
            return MillionPlan.key(factor, nodes);
        }

        /** The smallest size at this factor, with which the others are compared. */
        MillionSize base() {
            return new MillionSize(factor, factor);
        }

        @Override
        public String toString() {
            return (nodes == 1 ? "1 node" : nodes + " nodes") + ", RF " + factor;
        }
    }

    boolean has(MillionSize size) {
        return measured.figure(size.key() + ".cpu_s_per_million").isPresent()
                && invalid(size).isEmpty();
    }

    /** Why the figures of a size are no figures; empty where they are, and where nothing was measured. */
    Optional<String> invalid(MillionSize size) {
        return Stream.of("", ".held", ".hold")
                .flatMap(part -> Optional.ofNullable(measured.missing().get(size.key() + part)).stream())
                .filter(reason -> reason.startsWith(Measured.INVALID))
                .findFirst();
    }

    /** Whether the ladder ended before a step missed: the held rate is a lower bound. */
    boolean isOpen(MillionSize size) {
        return measured.figure(size.key() + ".open").isPresent();
    }

    String cell(MillionSize size, String figure) {
        return invalid(size).isPresent() ? Measured.INVALID : Cells.cell(measured, size.key() + figure);
    }

    String atLeast(MillionSize size, String figure) {
        return (has(size) && isOpen(size) ? "at least " : "") + cell(size, figure);
    }

    double value(MillionSize size, String figure) {
        return measured.value(size.key() + figure);
    }

    WriteCost cost(MillionSize size) {
        return new WriteCost(value(size, ".idle_cpu_s_per_million"), value(size, ".write_cpu_s_per_million"));
    }

    /** Compared with the smallest ring; empty where one of the two is missing. */
    Optional<Linearity> linearity(MillionSize size) {
        return has(size) && has(size.base())
                ? Optional.of(new Linearity(
                        value(size, ".node") / value(size.base(), ".node"), cost(size.base()), cost(size)))
                : Optional.empty();
    }

    /** The sizes that are compared with a smaller one. */
    List<MillionSize> compared() {
        return ALL.stream()
                .filter(size -> !size.equals(size.base()) && linearity(size).isPresent())
                .toList();
    }

    /** The sizes that were tried; all where none was. */
    List<MillionSize> tried() {
        List<MillionSize> tried = ALL.stream()
                .filter(size -> has(size)
                        || invalid(size).isPresent()
                        || measured.figure(size.key() + ".warm.windows").isPresent())
                .toList();
        return tried.isEmpty() ? ALL : tried;
    }

    /** The sizes that were measured, at one factor. */
    List<MillionSize> of(int factor) {
        return ALL.stream().filter(size -> size.factor() == factor && has(size)).toList();
    }
}
