package io.ringmaster.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.load.EngineLoad;
import io.ringmaster.lab.load.EngineStorage;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Report;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StorageEnginesTest {
    private static final StorageEngines EXPERIMENT = new StorageEngines();

    private final Figures figures = new Figures();

    private void row(EngineStorage storage, EngineLoad load, double p99, double p999, double cpu, double young) {
        String key = StorageEngines.key(storage, load);
        figures.put(key + ".read.p99", new Figure(p99, Unit.MS, p99 / 2, p99 * 2, 5));
        figures.put(key + ".read.p99.9", p999, Unit.MS);
        figures.put(key + ".cpu", cpu, Unit.CPU_S_PER_MILLION);
        figures.put(key + ".young", young, Unit.PERCENT);
    }

    /** The better figure of stock storage is 6, 24, 480 and 0.2 with half reads, 2, 6, 360 and 0.2 with 90 %. */
    private void stock() {
        row(EngineStorage.STCS, StorageEngines.HALF, 10, 24, 580, 0.3);
        row(EngineStorage.UCS, StorageEngines.HALF, 6, 26, 480, 0.2);
        row(EngineStorage.STCS, StorageEngines.MOSTLY_READS, 2, 7, 360, 0.4);
        row(EngineStorage.UCS, StorageEngines.MOSTLY_READS, 3, 6, 370, 0.2);
    }

    private Measured measured(Form form) {
        return figures.measured(new About("ndbench", form, "abc", Instant.EPOCH, 1, Map.of(), false));
    }

    private Report report() {
        return EXPERIMENT.report(measured(Form.FULL));
    }

    @Test
    void theGoalIsReachedAgainstTheBetterStockStorageOfEachFigure() {
        stock();
        row(EngineStorage.ROCKSDB, StorageEngines.HALF, 3, 8, 528, 0.1);
        row(EngineStorage.ROCKSDB, StorageEngines.MOSTLY_READS, 2, 6, 400, 0.1);
        Conclusion verdict = report().verdict();
        assertThat(verdict.kind()).isEqualTo(Conclusion.Kind.REACHED);
        assertThat(verdict.sentence())
                .isEqualTo("With 50 % reads, read p99 in RocksDB is 0.50 times (3 ms against 6 ms) and p99.9 0.33 times"
                        + " (8 ms against 24 ms) the better figure of both stock storages, at 1.10 times the processor time; with"
                        + " 90 % reads they are 1 and 1 times. Young collections take 0.10 % of the time instead of"
                        + " 0.20 % with 50 % reads.");
    }

    @Test
    void whatMissedIsNamed() {
        stock();
        row(EngineStorage.ROCKSDB, StorageEngines.HALF, 3.1, 8, 528, 0.2);
        row(EngineStorage.ROCKSDB, StorageEngines.MOSTLY_READS, 2, 6.1, 400, 0.1);
        Conclusion verdict = report().verdict();
        assertThat(verdict.kind()).isEqualTo(Conclusion.Kind.MISSED);
        assertThat(verdict.sentence())
                .endsWith("Missed: p99 with 50 % reads, p99.9 with 90 % reads, young collections with 50 % reads.");
    }

    @Test
    void oneInvalidRowDecidesNothing() {
        stock();
        row(EngineStorage.ROCKSDB, StorageEngines.HALF, 3, 8, 528, 0.1);
        row(EngineStorage.ROCKSDB, StorageEngines.MOSTLY_READS, 2, 6, 400, 0.1);
        figures.missing("ucs.90", "invalid: 2 of 5 rounds are valid: the machine was full");
        Report report = report();
        assertThat(report.verdict().kind()).isEqualTo(Conclusion.Kind.INVALID);
        assertThat(report.verdict().sentence())
                .isEqualTo("The row of stock, unified (UCS) with 90 % reads is invalid: 2 of 5 rounds are valid: the"
                        + " machine was full.");
        assertThat(report.tables().get(1).rows())
                .anySatisfy(row ->
                        assertThat(row).startsWith("stock, unified (UCS)").contains("invalid"));
    }

    @Test
    void withoutFiguresEachCellSaysSo() {
        Report report = report();
        assertThat(report.verdict().kind()).isEqualTo(Conclusion.Kind.INVALID);
        assertThat(report.plots()).allMatch(plot -> !plot.hasData());
        for (var table : report.tables()) {
            for (List<String> row : table.rows()) {
                if (!row.get(0).startsWith("source")) {
                    assertThat(row.subList(1, row.size())).as(row.get(0)).allMatch(cell -> cell.equals("not measured"));
                }
            }
        }
    }

    @Test
    void everyFigureOfTheSourceHasACell() {
        List<String> cells = report().tables().stream()
                .flatMap(table -> table.rows().stream())
                .flatMap(List::stream)
                .toList();
        assertThat(EXPERIMENT.seeds()).hasSize(8).allSatisfy(seed -> assertThat(cells)
                .contains(Cells.seed(List.of(seed), seed.key())));
    }

    @Test
    void aSearchThatTheMachineEndedIsALowerBound() {
        figures.put("rocksdb.sustained", 2400, Unit.PER_SECOND).count("rocksdb.sustained.open", 1);
        figures.put("ucs.sustained", 1200, Unit.PER_SECOND).count("ucs.sustained.open", 0);
        assertThat(report().tables().get(6).rows())
                .contains(List.of("RocksDB engine", "at least 2400/s"))
                .contains(List.of("stock, unified (UCS)", "1200/s"));
    }

    @Test
    void theShortFormDecidesNothing() {
        stock();
        row(EngineStorage.ROCKSDB, StorageEngines.HALF, 3, 8, 528, 0.1);
        assertThat(EXPERIMENT.report(measured(Form.SHORT)).verdict().kind()).isEqualTo(Conclusion.Kind.NOT_COMPARABLE);
    }
}
