package io.ringmaster.lab.command;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.experiment.Experiments;
import io.ringmaster.lab.figure.Measured;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** The table of experiments in docs/lab/README.md. */
record ExperimentTable(ResultFiles files) {
    private static final String START = "<!-- experiments -->\n";
    private static final String END = "<!-- end -->";
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    /** The page with the table as it is today. */
    String in(String page) throws IOException {
        int start = page.indexOf(START);
        int end = page.indexOf(END, start);
        if (start < 0 || end < 0) {
            throw new IllegalArgumentException("the page has no " + START.strip() + " with its " + END);
        }
        var table = new StringBuilder("| experiment | question | verdict | measured |\n|---|---|---|---|\n");
        for (Experiment experiment : Experiments.BUILT) {
            table.append(row(experiment)).append('\n');
        }
        return page.substring(0, start + START.length()) + table + page.substring(end);
    }

    private String row(Experiment experiment) throws IOException {
        String name = experiment.name();
        Optional<Measured> last = files.read(name);
        return "| " + last.map(m -> "[" + name + "](" + name + ".md)").orElse(name) + " | " + experiment.question()
                + " | "
                + last.map(m -> experiment.report(m).verdict().kind().text()).orElse("not run") + " | "
                + last.map(m -> DAY.format(m.about().started())).orElse("") + " |";
    }
}
