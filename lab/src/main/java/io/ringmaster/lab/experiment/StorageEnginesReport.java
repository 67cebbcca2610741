package io.ringmaster.lab.experiment;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.load.EngineLoad;
import io.ringmaster.lab.load.EngineStorage;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Plot;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.page.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The page of {@link StorageEngines}. */
record StorageEnginesReport(Experiment experiment, Measured measured) {
    private static final List<String> READS = List.of(".mean", ".p50", ".p99", ".p99.9", ".max");

    Report report() {
        return new Report(
                EngineGoal.text(),
                new EngineGoal(measured).verdict(),
                List.of(
                        reads(StorageEngines.HALF),
                        reads(StorageEngines.MOSTLY_READS),
                        compared(),
                        disk(),
                        rounds(),
                        blocking(),
                        sustained()),
                List.of(curves(StorageEngines.HALF), curves(StorageEngines.MOSTLY_READS), young()),
                StorageEnginesText.text(),
                StorageEnginesText.scale());
    }

    private Table reads(EngineLoad load) {
        List<String> keys = new ArrayList<>();
        READS.forEach(key -> keys.add(EngineRounds.READ + key));
        keys.addAll(List.of(EngineRounds.YOUNG, EngineRounds.CPU));
        List<List<String>> rows = new ArrayList<>();
        if (load.equals(StorageEngines.HALF)) {
            rows.add(source("source 003: Cassandra, in production", StorageEngines.CASSANDRA, keys));
            rows.add(source("source 003: the same at quiet hours", StorageEngines.QUIET, keys));
            rows.add(source("source 003: Rocksandra, in production", StorageEngines.ROCKSANDRA, keys));
        }
        ours(load, keys, rows);
        return new Table(
                "Reads at " + load.rate() + " requests/s, " + load.read()
                        + " % of them reads, with the lowest and highest round; the share of the time in young"
                        + " collections; and processor time of the node:",
                List.of("storage", "mean", "p50", "p99", "p99.9", "max", "young collections", "node"),
                rows);
    }

    private Table disk() {
        List<List<String>> rows = new ArrayList<>();
        for (EngineStorage storage : EngineStorage.values()) {
            rows.add(row(
                    storage.text(),
                    List.of(".amplification", ".space"),
                    key -> Cells.cell(measured, storage.key() + key)));
        }
        return new Table(
                "Write amplification: bytes that the node wrote to its disk from its empty start to the last round,"
                        + " commit log included, divided by the bytes of the rows sent. Space amplification: bytes of"
                        + " the tables' files after each load, divided by those of all rows once:",
                List.of("storage", "write amplification", "space amplification"),
                rows);
    }

    private Table rounds() {
        List<String> keys = List.of(
                EngineRounds.WRITE + ".p99",
                EngineRounds.WRITE + ".p99.9",
                ".read_mib",
                ".written_mib",
                EngineRounds.STOPPED,
                ".idle",
                ".rounds");
        List<List<String>> rows = new ArrayList<>();
        for (EngineLoad load : StorageEngines.LOADS) {
            for (EngineStorage storage : EngineStorage.values()) {
                rows.add(row(
                        title(load) + ", " + storage.text(),
                        keys,
                        key -> Cells.cell(measured, StorageEngines.key(storage, load) + key)));
            }
        }
        return new Table(
                "The same rounds: writes, the node's traffic with its disk, the share of the time in which its JVM"
                        + " stood still for any reason, idle cores, and how many rounds are valid:",
                List.of(
                        "load and storage",
                        "write p99",
                        "write p99.9",
                        "read from disk",
                        "written",
                        "stopped",
                        "idle",
                        "valid rounds"),
                rows);
    }

    private static String title(EngineLoad load) {
        return load.read() + " % reads" + (load.blocking() ? ", blocking" : "");
    }

    private Table blocking() {
        EngineLoad load = StorageEngines.BLOCKING;
        List<String> keys = List.of(
                EngineRounds.READ + ".p99",
                EngineRounds.READ + ".p99.9",
                EngineRounds.SERVICE + ".mean",
                EngineRounds.SERVICE + ".p99",
                EngineRounds.SERVICE + ".p99.9");
        List<List<String>> rows = new ArrayList<>();
        ours(load, keys, rows);
        return new Table(
                "The source's shape, 128 readers and 128 writers: 256 connections with one request each at "
                        + load.rate() + " requests/s, reads. Service time is what NDBench prints:",
                List.of("storage", "response p99", "response p99.9", "service mean", "service p99", "service p99.9"),
                rows);
    }

    private Table sustained() {
        List<List<String>> rows = new ArrayList<>();
        List<String> keys = List.of(EngineRounds.SUSTAINED);
        rows.add(source("source 003: Cassandra 3.0, three servers", StorageEngines.CASSANDRA, keys));
        rows.add(source("source 003: Rocksandra, three servers", StorageEngines.ROCKSANDRA, keys));
        for (EngineStorage storage : EngineStorage.values()) {
            String key = storage.key() + EngineRounds.SUSTAINED;
            boolean open = measured.value(storage.key() + EngineRounds.OPEN) == 1;
            rows.add(List.of(storage.text(), (open ? "at least " : "") + Cells.cell(measured, key)));
        }
        return new Table(
                "Reads only: the highest rate with p99 below 2 ms, of this machine with its generator. *At least*: the"
                        + " machine or the generator ended the search, not the node:",
                List.of("storage", "reads"),
                rows);
    }

    private Table compared() {
        List<String> columns = new ArrayList<>(List.of("load"));
        EngineComparison.PERCENTILES.forEach(p -> columns.add("p" + Percentiles.text(p)));
        List<List<String>> rows = new ArrayList<>();
        for (EngineLoad load : StorageEngines.LOADS) {
            for (EngineStorage stock : EngineComparison.STOCK) {
                List<String> cells = new ArrayList<>(List.of(title(load) + ", against " + stock.text()));
                EngineComparison.PERCENTILES.forEach(
                        p -> cells.add(Cells.cell(measured, EngineComparison.key(load, stock, p))));
                rows.add(cells);
            }
        }
        return new Table(
                "The engine's times divided by those of stock storage, reads and writes together, with the 95 %"
                        + " interval of `metronome compare`. Where the interval holds 1, these rounds cannot tell:",
                columns, rows);
    }

    private List<String> source(String title, String source, List<String> keys) {
        return row(title, keys, key -> Cells.seed(experiment.seeds(), source + key));
    }

    private void ours(EngineLoad load, List<String> keys, List<List<String>> rows) {
        for (EngineStorage storage : EngineStorage.values()) {
            String first = StorageEngines.key(storage, load);
            rows.add(row(storage.text(), keys, key -> Cells.cell(measured, first + key)));
        }
    }

    private static List<String> row(String title, List<String> keys, Function<String, String> cell) {
        List<String> cells = new ArrayList<>(List.of(title));
        keys.forEach(key -> cells.add(cell.apply(key)));
        return cells;
    }

    private Plot curves(EngineLoad load) {
        return Plot.lines(
                "reads-" + load.key(),
                "Reads at " + load.rate() + " requests/s, " + title(load),
                Plot.Axis.of("share of reads", "", Plot.Scale.NINES),
                Plot.Axis.of("response", "ms", Plot.Scale.LOG),
                Arrays.stream(EngineStorage.values())
                        .map(storage -> Plot.Line.of(
                                storage.text(), measured.points(StorageEngines.key(storage, load) + EngineRounds.READ)))
                        .toList());
    }

    private Plot young() {
        List<EngineStorage> storages = List.of(EngineStorage.values());
        return Plot.lines(
                "young",
                "Share of the time in young collections",
                Plot.Axis.categories(
                        "storage", storages.stream().map(EngineStorage::text).toList()),
                Plot.Axis.of("share", "%", Plot.Scale.LINEAR),
                List.of(bars(StorageEngines.HALF, storages), bars(StorageEngines.MOSTLY_READS, storages)));
    }

    private Plot.Line bars(EngineLoad load, List<EngineStorage> storages) {
        List<List<Double>> bars = IntStream.range(0, storages.size())
                .mapToObj(i -> List.of(
                        (double) i, measured.value(StorageEngines.key(storages.get(i), load) + EngineRounds.YOUNG)))
                .filter(bar -> Double.isFinite(bar.get(1)))
                .toList();
        return new Plot.Line(title(load), Plot.Kind.BAR, false, bars);
    }
}
