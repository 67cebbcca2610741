package io.ringmaster.lab.page;

import io.ringmaster.lab.figure.Conclusion;
import java.util.List;

/**
 * What a page says of an experiment's figures.
 *
 * @param goal what was wanted, as a number, written before anything was measured
 * @param text paragraphs below the tables: what a reader has to know to read them
 * @param scale what the size of this machine changes, one line for each difference to the source
 */
public record Report(
        String goal, Conclusion verdict, List<Table> tables, List<Plot> plots, List<String> text, List<String> scale) {
    public Report {
        tables = List.copyOf(tables);
        plots = List.copyOf(plots);
        text = List.copyOf(text);
        scale = List.copyOf(scale);
    }
}
