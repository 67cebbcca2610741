package io.ringmaster.lab.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code metronome verify} found of the acknowledged writes of a run.
 *
 * @param writes acknowledged writes
 * @param rows rows that they wrote, each read once
 * @param findings metronome's words to number of rows; {@code LOST}, {@code OLDER than acknowledged} and {@code WRONG
 *     values} are the bad ones
 * @param whole whether no acknowledged write is lost, old or wrong
 */
public record VerifyResult(long writes, long rows, Map<String, Long> findings, boolean whole) {
    private static final Pattern TOTAL = Pattern.compile("([\\d,]+) acknowledged writes, ([\\d,]+) rows read at .*");
    private static final Pattern PARTIAL = Pattern.compile("only \\d+ of \\d+ rows are read.*");
    private static final Pattern FINDING = Pattern.compile(" *([\\d,]+)  (.+)");

    /**
     * @param lines what it printed
     * @throws IllegalArgumentException this is not its output, or it could not read every row
     */
    static VerifyResult parse(List<String> lines, boolean whole) {
        Map<String, Long> findings = new LinkedHashMap<>();
        long writes = -1;
        long rows = -1;
        for (String line : lines) {
            if (PARTIAL.matcher(line).matches()) {
                throw new IllegalArgumentException(line);
            }
            Matcher total = TOTAL.matcher(line);
            Matcher finding = FINDING.matcher(line);
            if (total.matches()) {
                writes = number(total.group(1));
                rows = number(total.group(2));
            } else if (finding.matches()) {
                findings.put(finding.group(2), number(finding.group(1)));
            }
        }
        if (writes < 0) {
            throw new IllegalArgumentException("metronome verify printed no number of writes: " + lines);
        }
        return new VerifyResult(writes, rows, findings, whole);
    }

    private static long number(String text) {
        return Long.parseLong(text.replace(",", ""));
    }
}
