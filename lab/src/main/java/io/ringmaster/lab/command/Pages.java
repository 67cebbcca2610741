package io.ringmaster.lab.command;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.page.Markdown;
import io.ringmaster.lab.page.Plot;
import io.ringmaster.lab.page.PlotProgram;
import io.ringmaster.lab.page.Report;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes pages from results.
 *
 * @param root folder of the checkout
 */
record Pages(ResultFiles files, Path root) {

    Report write(Experiment experiment, Measured measured) throws IOException, InterruptedException {
        Report report = experiment.report(measured);
        var program = new PlotProgram(Path.of(System.getProperty(
                        "ringmaster.dist", root.resolve(".build/dist").toString()))
                .resolve("plots/plots.js"));
        boolean drawn =
                program.draw(report.plots().stream().filter(Plot::hasData).toList(), files.beside(experiment.name()));
        files.writePage(experiment.name(), Markdown.page(experiment.question(), measured, report, drawn));
        return report;
    }
}
