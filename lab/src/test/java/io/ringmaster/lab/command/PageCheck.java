package io.ringmaster.lab.command;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.ResultFiles;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.load.LoadLog;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Markdown;
import io.ringmaster.lab.page.Plot;
import io.ringmaster.lab.page.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whether the page of a result, and the files beside it, are what the result says today.
 *
 * @param docs folder that links to other pages of the project start from
 */
record PageCheck(ResultFiles files, Path docs) {
    private static final long MOST_BYTES = 2L << 20;
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)#]+)[^)]*\\)");

    /**
     * @param accept whether the page is written again first
     * @return problems, each with its file; none also where there is no result
     */
    List<String> problems(Experiment experiment, boolean accept) throws IOException {
        Optional<Measured> result = files.read(experiment.name());
        if (result.isEmpty()) {
            return List.of();
        }
        String wanted = page(experiment, result.get());
        if (accept) {
            files.writePage(experiment.name(), wanted);
        }
        List<String> problems = new ArrayList<>();
        Path page = files.page(experiment.name());
        if (!Files.exists(page) || !Files.readString(page).equals(wanted)) {
            problems.add(page + " is not what its result says today: ./ringmaster lab report " + experiment.name());
        }
        seeds(experiment, wanted, problems);
        links(page, wanted, problems);
        logs(experiment, problems);
        size(experiment, problems);
        return problems;
    }

    /** With the plots, if all are there. */
    private String page(Experiment experiment, Measured measured) {
        Report report = experiment.report(measured);
        boolean drawn = report.plots().stream()
                .filter(Plot::hasData)
                .allMatch(plot -> Files.exists(files.beside(experiment.name()).resolve(plot.name() + ".svg")));
        return Markdown.page(experiment.question(), measured, report, drawn);
    }

    private static void seeds(Experiment experiment, String wrapped, List<String> problems) {
        String page = wrapped.replaceAll("\\s+", " ");
        for (Seed seed : experiment.seeds()) {
            String value = Cells.seed(experiment.seeds(), seed.key());
            if (!page.contains(value)) {
                problems.add(experiment.name() + ".md lacks the source's " + value + " (" + seed.key() + ")");
            }
        }
    }

    private void links(Path page, String text, List<String> problems) {
        Matcher link = LINK.matcher(text);
        while (link.find()) {
            String target = link.group(1);
            Path folder = target.startsWith("..") ? docs : files.folder();
            if (!target.contains("://") && !Files.exists(folder.resolve(target))) {
                problems.add(page + " links to " + target + ", which does not exist");
            }
        }
    }

    private void logs(Experiment experiment, List<String> problems) throws IOException {
        for (Path log : beside(experiment)) {
            if (!log.toString().endsWith(".hlog.gz")) {
                continue;
            }
            try {
                if (LoadLog.read(log).isEmpty()) {
                    problems.add(log + " is empty");
                }
            } catch (IOException e) {
                problems.add(log + ": " + e.getMessage());
            }
        }
    }

    private void size(Experiment experiment, List<String> problems) throws IOException {
        List<Path> all = new ArrayList<>(beside(experiment));
        all.add(files.json(experiment.name()));
        all.add(files.page(experiment.name()));
        long bytes = 0;
        for (Path file : all) {
            bytes += Files.exists(file) ? Files.size(file) : 0;
        }
        if (bytes > MOST_BYTES) {
            problems.add(experiment.name() + " has " + bytes + " bytes of results, more than " + MOST_BYTES);
        }
    }

    private List<Path> beside(Experiment experiment) throws IOException {
        Path folder = files.beside(experiment.name());
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
