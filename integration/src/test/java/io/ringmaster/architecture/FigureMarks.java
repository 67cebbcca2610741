package io.ringmaster.architecture;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The measured figures within a page: {@code <!-- lab EXPERIMENT.KEY -->26.8<!-- end -->}. A mark directly behind a
 * backtick is an example, and is left alone.
 *
 * @param page the page with the figures as they were measured
 * @param problems what differs or is no mark, each with the file
 */
record FigureMarks(String page, List<String> problems) {
    private static final String START = "<!-- lab ";
    private static final String END = "<!-- end -->";
    private static final Pattern MARK =
            Pattern.compile(START + "([a-z-]+)\\.([A-Za-z0-9_.-]+) -->([^<]*)" + END, Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,3}(,\\d{3})+(\\.\\d+)?|-?\\d+(\\.\\d+)?");

    FigureMarks {
        problems = List.copyOf(problems);
    }

    /** A figure of a result, or the reason why there is none. */
    record Answer(double value, String problem) {
        static Answer of(double value) {
            return new Answer(value, "");
        }

        static Answer none(String problem) {
            return new Answer(Double.NaN, problem);
        }
    }

    /** Names a figure: {@code startup}, {@code times_faster}. */
    record Key(String experiment, String key) {
        @Override
        public String toString() {
            return experiment + "." + key;
        }
    }

    static FigureMarks of(String file, String page, Function<Key, Answer> figures) {
        List<String> problems = new ArrayList<>();
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (int start = page.indexOf(START); start >= 0; start = page.indexOf(START, at)) {
            if (start > 0 && page.charAt(start - 1) == '`') {
                out.append(page, at, start + START.length());
                at = start + START.length();
                continue;
            }
            out.append(page, at, start);
            Matcher mark = MARK.matcher(page).region(start, page.length());
            if (mark.lookingAt()) {
                out.append(figure(file, mark, figures, problems));
                at = mark.end();
            } else {
                problems.add(file + ": no mark is '" + line(page, start) + "'; a mark is " + START
                        + "EXPERIMENT.KEY -->1.5" + END);
                out.append(START);
                at = start + START.length();
            }
        }
        return new FigureMarks(out + page.substring(at), problems);
    }

    private static String figure(String file, Matcher mark, Function<Key, Answer> figures, List<String> problems) {
        Key key = new Key(mark.group(1), mark.group(2));
        String text = mark.group(3);
        if (!NUMBER.matcher(text).matches()) {
            problems.add(file + ": '" + text + "' of " + key + " is no number");
            return mark.group();
        }
        Answer answer = figures.apply(key);
        if (!answer.problem().isEmpty()) {
            problems.add(file + ": " + key + ": " + answer.problem());
            return mark.group();
        }
        String measured = rounded(answer.value(), text);
        if (!measured.equals(text)) {
            problems.add(file + ": " + key + " is " + text + " in the text and " + measured + " in docs/lab/"
                    + key.experiment() + ".json");
        }
        return START + key + " -->" + measured + END;
    }

    /** As many digits as the text shows, and separators of thousands if it has them. */
    private static String rounded(double value, String text) {
        int point = text.indexOf('.');
        int digits = point < 0 ? 0 : text.length() - point - 1;
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
        return text.contains(",") ? String.format(Locale.ROOT, "%,." + digits + "f", rounded) : rounded.toPlainString();
    }

    private static String line(String page, int start) {
        int end = page.indexOf('\n', start);
        return end < 0 ? page.substring(start) : page.substring(start, end);
    }
}
