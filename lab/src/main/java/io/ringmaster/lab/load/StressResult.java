package io.ringmaster.lab.load;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What cassandra-stress measured.
 *
 * @param response from the intended start; empty without a rate
 * @param service from the send
 * @param entries response and service times of each second, under the tags of {@link LoadLog}
 */
public record StressResult(StressSummary summary, Latencies response, Latencies service, List<LoadLog.Entry> entries) {
    /** Ends of its tags, such as {@code WRITE-rt}. Its third, {@code -wt}, is the difference. */
    private static final Map<String, String> TAGS = Map.of("-rt", LoadLog.RESPONSE, "-st", LoadLog.SERVICE);

    /**
     * @param lines its output
     * @param hdrFile its interval log
     * @throws IOException the log lacks operations of the summary, or one of both is missing
     */
    static StressResult read(List<String> lines, Path hdrFile) throws IOException {
        StressSummary summary;
        try {
            summary = StressSummary.parse(lines);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage() + "; its log is " + hdrFile, e);
        }
        List<LoadLog.Entry> entries = LoadLog.read(hdrFile).stream()
                .filter(entry -> TAGS.containsKey(end(entry.tag())))
                .map(e -> new LoadLog.Entry(TAGS.getOrDefault(end(e.tag()), ""), e.startMs(), e.endMs(), e.times()))
                .toList();
        Latencies service = LoadLog.total(entries, LoadLog.SERVICE);
        if (service.count() != summary.operations()) {
            throw new IOException("cassandra-stress made " + summary.operations() + " operations, and its log "
                    + hdrFile + " has " + service.count());
        }
        return new StressResult(summary, LoadLog.total(entries, LoadLog.RESPONSE), service, entries);
    }

    private static String end(String tag) {
        return tag.substring(Math.max(0, tag.lastIndexOf('-')));
    }
}
