package io.ringmaster.lab.command;

import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.screen.TextTable;
import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.experiment.Experiments;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The list of experiments. */
final class LabScreen {
    private LabScreen() {}

    /**
     * One experiment of the list.
     *
     * @param shortSeconds at most; null where it is not built yet
     * @param fullSeconds at most; null where it is not built yet
     * @param verdict of the last full run; null where there is none
     * @param commit that was measured; null where there is none
     */
    record Row(
            String name,
            String question,
            @Nullable Long shortSeconds,
            @Nullable Long fullSeconds,
            @Nullable String verdict,
            @Nullable String commit) {}

    static List<Row> rows(ResultFiles files) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (Experiment experiment : Experiments.BUILT) {
            Optional<Measured> last = files.read(experiment.name());
            rows.add(new Row(
                    experiment.name(),
                    experiment.question(),
                    experiment.budget(Form.SHORT).toSeconds(),
                    experiment.budget(Form.FULL).toSeconds(),
                    last.map(m -> experiment.report(m).verdict().kind().text()).orElse(null),
                    last.map(m -> m.about().commit()).orElse(null)));
        }
        Experiments.PLACES.forEach(place -> rows.add(new Row(place.name(), place.question(), null, null, null, null)));
        return rows;
    }

    static List<Line> list(List<Row> rows, int width) {
        var table = new TextTable()
                .column("EXPERIMENT")
                .number("SHORT")
                .number("FULL")
                .column("VERDICT")
                .column("COMMIT")
                .text("QUESTION");
        for (Row row : rows) {
            boolean built = row.fullSeconds() != null;
            table.row(
                    row.name(),
                    time(row.shortSeconds()),
                    time(row.fullSeconds()),
                    row.verdict() != null ? row.verdict() : built ? "not run" : "not built yet",
                    row.commit() == null ? "" : row.commit(),
                    row.question());
        }
        return table.lines(width);
    }

    private static String time(@Nullable Long seconds) {
        return seconds == null ? "" : time(Duration.ofSeconds(seconds));
    }

    static String time(Duration time) {
        return time.toSeconds() < 180 ? time.toSeconds() + " s" : Math.round(time.toSeconds() / 60.0) + " min";
    }
}
