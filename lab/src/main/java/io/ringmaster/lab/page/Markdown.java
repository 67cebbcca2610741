package io.ringmaster.lab.page;

import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Writes the page of an experiment. Pure: the same result gives the same page. */
public final class Markdown {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private static final int COLUMNS = 120;
    /** Spaces where a line may end. */
    private static final Pattern WORDS = Pattern.compile(" (?![-+*#>=|]|\\d+[.)])");

    private final StringBuilder out = new StringBuilder();

    private Markdown() {}

    /** @param drawn whether the plots are there */
    public static String page(String question, Measured measured, Report report, boolean drawn) {
        Markdown page = new Markdown();
        page.head(question, measured.about(), report);
        report.tables().forEach(page::table);
        report.text().forEach(page::paragraph);
        page.plots(measured.about().experiment(), report.plots(), drawn);
        if (!report.scale().isEmpty()) {
            page.paragraph("## What the scale changes");
            page.list(report.scale());
        }
        page.measured(measured);
        return page.out.toString();
    }

    private void head(String question, About about, Report report) {
        paragraph("# " + about.experiment());
        paragraph(question);
        paragraph("**Goal.** " + report.goal());
        String form = about.form() == Form.SHORT
                ? " This is the short form, which shows that the experiment works: its figures decide nothing."
                : "";
        paragraph("**Verdict: " + report.verdict().kind().text() + ".** "
                + report.verdict().sentence() + form);
    }

    private void paragraph(String text) {
        out.append(wrapped(text, "")).append("\n\n");
    }

    private void list(List<String> items) {
        items.forEach(item -> out.append(wrapped("- " + item, "  ")).append('\n'));
        out.append('\n');
    }

    /** Lines that fit a screen. No line starts with what Markdown takes for a list, a heading or a quotation. */
    private static String wrapped(String text, String indent) {
        StringBuilder lines = new StringBuilder();
        int column = 0;
        for (String word : WORDS.split(text, -1)) {
            if (column > 0 && column + 1 + word.length() > COLUMNS) {
                lines.append('\n').append(indent);
                column = indent.length();
            } else if (column > 0) {
                lines.append(' ');
                column++;
            }
            lines.append(word);
            column += word.length();
        }
        return lines.toString();
    }

    private void table(Table table) {
        if (!table.title().isEmpty()) {
            paragraph(table.title());
        }
        row(table.columns());
        row(table.columns().stream()
                .map(c -> c.equals(table.columns().get(0)) ? "---" : "---:")
                .toList());
        table.rows().forEach(this::row);
        out.append('\n');
    }

    private void row(List<String> cells) {
        out.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private void plots(String experiment, List<Plot> all, boolean drawn) {
        List<Plot> plots = all.stream().filter(Plot::hasData).toList();
        if (plots.isEmpty()) {
            return;
        }
        if (!drawn) {
            paragraph("There are no plots here, because node is missing or too old; `./ringmaster lab report "
                    + experiment + "` draws them later.");
            return;
        }
        plots.forEach(plot -> out.append("![" + plot.title() + "](" + experiment + "/" + plot.name() + ".svg)\n\n"));
    }

    private void measured(Measured measured) {
        About about = measured.about();
        paragraph("## How it was measured");
        paragraph("`./ringmaster lab run " + about.experiment()
                + (about.form() == Form.SHORT ? " --short" : "") + "`, "
                + DAY.format(about.started()) + ", commit " + about.commit() + ", "
                + Cells.number(Math.rint(about.seconds())) + " s"
                + (about.busy() ? ", **beside other work of the computer**" : "") + ".");
        list(about.machine().entrySet().stream()
                .map(fact -> fact.getKey() + ": " + fact.getValue())
                .toList());
        List<String> missing = measured.missing().entrySet().stream()
                .map(reason -> "`" + reason.getKey() + "`: " + reason.getValue())
                .toList();
        if (!missing.isEmpty()) {
            paragraph("Missing or invalid, by the keys of figures:");
            list(missing);
        }
        String folder = about.experiment();
        paragraph("All figures: [" + folder + ".json](" + folder + ".json)."
                + (measured.logs().isEmpty()
                        ? ""
                        : " Interval logs (HdrHistogram): "
                                + String.join(
                                        ", ",
                                        measured.logs().stream()
                                                .map(log -> "[" + log + "](" + folder + "/" + log + ")")
                                                .toList())
                                + "."));
    }
}
