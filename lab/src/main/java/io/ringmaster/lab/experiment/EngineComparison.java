package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.load.Comparison;
import io.ringmaster.lab.load.EngineLoad;
import io.ringmaster.lab.load.EngineResults;
import io.ringmaster.lab.load.EngineRound;
import io.ringmaster.lab.load.EngineStorage;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.load.RunOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The engine beside each stock storage, by metronome's comparison of rounds: times of reads and writes together. */
record EngineComparison(EngineResults results, Figures figures) {
    static final String KEY = "compare";
    static final List<EngineStorage> STOCK = List.of(EngineStorage.STCS, EngineStorage.UCS);
    static final List<Double> PERCENTILES = List.of(50.0, 99.0, 99.9);

    private static final int ROUNDS = 3;

    static String key(EngineLoad load, EngineStorage stock, double percentile) {
        return KEY + "." + load.key() + "." + stock.key() + ".p" + Percentiles.text(percentile);
    }

    /** Stores the engine's time divided by that of stock storage, with its 95 % interval. */
    void put(Metronome metronome) throws IOException, InterruptedException {
        for (EngineLoad load : results.plan().loads()) {
            List<Path> after = files(EngineStorage.ROCKSDB, load);
            for (EngineStorage stock : STOCK) {
                List<Path> before = files(stock, load);
                String key = KEY + "." + load.key() + "." + stock.key();
                if (Math.min(before.size(), after.size()) < ROUNDS) {
                    figures.missing(key, "fewer than " + ROUNDS + " valid rounds");
                    continue;
                }
                Comparison comparison = metronome.compare(key, before, after);
                int rounds = Math.min(before.size(), after.size());
                PERCENTILES.forEach(percentile -> put(key(load, stock, percentile), percentile, comparison, rounds));
            }
        }
    }

    private List<Path> files(EngineStorage storage, EngineLoad load) throws IOException {
        return results.rounds(storage, load).stream()
                .filter(round -> EngineRounds.reason(round).isEmpty())
                .map(EngineRound::run)
                .map(RunOutcome::file)
                .toList();
    }

    private void put(String key, double percentile, Comparison comparison, int rounds) {
        Comparison.Row row =
                comparison.row(Comparison.Time.RESPONSE, percentile).orElse(null);
        if (row == null || row.ratio() == null || row.low() == null || row.high() == null) {
            String reason = row == null ? "not compared" : Objects.requireNonNullElse(row.reason(), "no interval");
            figures.missing(key, reason);
            return;
        }
        figures.put(key, new Figure(row.ratio(), Unit.TIMES, row.low(), row.high(), rounds));
    }
}
