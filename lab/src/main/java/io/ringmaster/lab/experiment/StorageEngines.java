package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.PERCENT;
import static io.ringmaster.lab.figure.Unit.PER_SECOND;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.Need;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.load.EngineBench;
import io.ringmaster.lab.load.EngineLoad;
import io.ringmaster.lab.load.EnginePlan;
import io.ringmaster.lab.load.EngineResults;
import io.ringmaster.lab.load.EngineStorage;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.page.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** NDBench's table of 6 KB rows in the RocksDB engine and in stock storage: the same load on each node in turn. */
final class StorageEngines implements Experiment {
    /** First parts of the keys of the source's figures. */
    static final String CASSANDRA = "cassandra";

    static final String QUIET = "cassandra-quiet";
    static final String ROCKSANDRA = "rocksandra";

    static final EngineLoad HALF = EngineLoad.of(50, 1500);
    static final EngineLoad MOSTLY_READS = EngineLoad.of(90, 1500);
    static final EngineLoad BLOCKING = HALF.inBlockingClients();
    static final List<EngineLoad> LOADS = List.of(HALF, MOSTLY_READS, BLOCKING);

    private static final String ONLY_FULL = "only in the full form";

    private static final EnginePlan FULL = new EnginePlan(
            List.of(EngineStorage.ROCKSDB, EngineStorage.STCS, EngineStorage.UCS),
            LOADS,
            5,
            8,
            4,
            240_000,
            4500,
            20,
            16,
            "--read 100% --slo p99<2ms --from 500 --step 5s --longest-step 20s --warmup 2s --precision 0.15"
                    + " --repeats 1");

    /** In memory: 120 MB of rows. */
    private static final EnginePlan SHORT = new EnginePlan(
            List.of(EngineStorage.ROCKSDB, EngineStorage.UCS), List.of(HALF), 1, 8, 4, 20_000, 2000, 4, 4, "");

    static EnginePlan plan(Form form) {
        return form == Form.SHORT ? SHORT : FULL;
    }

    /** The first part of the keys of a storage's figures under a load. */
    static String key(EngineStorage storage, EngineLoad load) {
        return storage.key() + "." + load.key();
    }

    @Override
    public String name() {
        return "ndbench";
    }

    @Override
    public String question() {
        return "What does the RocksDB engine change for large reads and writes?";
    }

    @Override
    public List<Seed> seeds() {
        String cluster = "003, a production cluster with Cassandra";
        String after = "003, the same cluster with Rocksandra";
        String readOnly = "003, read only at a p99 of 2 ms, three servers of 32 cores";
        return List.of(
                new Seed(CASSANDRA + EngineRounds.READ + ".mean", 5, MS, cluster),
                new Seed(CASSANDRA + EngineRounds.READ + ".p99", 60, MS, cluster),
                new Seed(CASSANDRA + EngineRounds.YOUNG, 2.5, PERCENT, cluster + ", at peak hours"),
                new Seed(QUIET + EngineRounds.YOUNG, 1.25, PERCENT, cluster + ", at quiet hours"),
                new Seed(CASSANDRA + EngineRounds.SUSTAINED, 30_000, PER_SECOND, readOnly),
                new Seed(ROCKSANDRA + EngineRounds.READ + ".p99", 20, MS, after),
                new Seed(ROCKSANDRA + EngineRounds.YOUNG, 0.3, PERCENT, after),
                new Seed(ROCKSANDRA + EngineRounds.SUSTAINED, 300_000, PER_SECOND, readOnly));
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.ROOT, Need.METRONOME, Need.MAVEN, Need.SLOW_DISK);
    }

    @Override
    public Duration budget(Form form) {
        return form == Form.SHORT ? Duration.ofSeconds(150) : Duration.ofSeconds(1_010);
    }

    @Override
    public void run(Bench bench, Form form, Figures figures) throws IOException, InterruptedException {
        EngineResults results = EngineBench.of(bench).run(plan(form));
        EngineRounds rounds = new EngineRounds(results, figures);
        for (EngineStorage storage : plan(form).storages()) {
            rounds.put(storage, bench.results());
        }
        if (form == Form.SHORT) {
            leftOut(figures);
            return;
        }
        new EngineComparison(results, figures).put(Metronome.of(bench));
    }

    private static void leftOut(Figures figures) {
        for (EngineStorage storage : EngineStorage.values()) {
            figures.missing(storage.key() + EngineRounds.SUSTAINED, ONLY_FULL);
            LOADS.stream()
                    .filter(load -> !SHORT.loads().contains(load))
                    .forEach(load -> figures.missing(key(storage, load), ONLY_FULL));
        }
        Arrays.stream(EngineStorage.values())
                .filter(storage -> !SHORT.storages().contains(storage))
                .forEach(storage -> figures.missing(storage.key(), ONLY_FULL));
        figures.missing(EngineComparison.KEY, ONLY_FULL);
    }

    @Override
    public Report report(Measured measured) {
        return new StorageEnginesReport(this, measured).report();
    }
}
