package io.ringmaster.lab.load;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What {@link EngineBench} measures.
 *
 * @param rounds each storage has each load once in a round; the first of several is not counted
 * @param seconds length of a load, after {@code warm} seconds without record
 * @param rows of {@link #ROW_BYTES}, loaded at {@code fill} rows per second
 * @param settle seconds of writes after that, so that the files are as in use
 * @param gibibytes size of the disk in memory
 * @param sustain options of the search for the highest rate; empty: none
 */
public record EnginePlan(
        List<EngineStorage> storages,
        List<EngineLoad> loads,
        int rounds,
        int seconds,
        int warm,
        int rows,
        int fill,
        int settle,
        int gibibytes,
        String sustain) {
    public static final int ROW_BYTES = 6000;
    /** Bytes of a node with its page cache. */
    public static final long MEMORY = 1_500_000_000;

    public EnginePlan {
        storages = List.copyOf(storages);
        loads = List.copyOf(loads);
    }

    /** The rate of the writes after the loading. */
    private int rate() {
        return loads.get(0).rate();
    }

    /** The settings of the benchmark, in the form that env(1) takes. */
    List<String> settings() {
        return List.of(
                "NAMES=" + storages.stream().map(EngineStorage::key).collect(Collectors.joining(" ")),
                "LOADS=" + loads.stream().map(EngineLoad::setting).collect(Collectors.joining(" ")),
                "ROW_BYTES=" + ROW_BYTES,
                "MEMORY=" + MEMORY,
                "FILL=" + fill,
                "SETTLE=" + settle,
                "WARM=" + warm,
                "SUSTAIN=" + sustain,
                "GIBIBYTES=" + gibibytes);
    }

    List<String> arguments() {
        return List.of(
                Integer.toString(rate()), Integer.toString(seconds), Integer.toString(rows), Integer.toString(rounds));
    }

    /** The first of several rounds is not counted: in it nodes compile the reads, and caches and files settle. */
    int firstCounted() {
        return rounds == 1 ? 1 : 2;
    }

    /** Rounds of each storage and load that are counted. */
    public int counted() {
        return rounds - firstCounted() + 1;
    }

    /** Rows that each node was sent until the end of the last round. */
    public double rowsWritten() {
        double perRound = loads.stream()
                .mapToDouble(load -> (double) load.rate() * (seconds + warm) * (100 - load.read()) / 100)
                .sum();
        return rows + (double) settle * rate() + rounds * perRound;
    }
}
