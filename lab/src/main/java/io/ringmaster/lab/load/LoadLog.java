package io.ringmaster.lab.load;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Interval logs in HdrHistogram's own format, which its other tools read too. Values are nanoseconds. A name that ends
 * with {@code .gz} is compressed.
 */
public final class LoadLog {
    public static final String RESPONSE = "response";
    public static final String SERVICE = "service";
    /** Steps of the logs beside a page. */
    public static final Duration OVERVIEW = Duration.ofSeconds(10);

    /** Steps of the logs beside a page whose subject is a stall. */
    public static final Duration DETAIL = Duration.ofSeconds(1);

    private LoadLog() {}

    /**
     * What was measured in one interval.
     *
     * @param tag RESPONSE or SERVICE, or what another program calls it
     * @param startMs wall clock, since 1970
     */
    public record Entry(String tag, long startMs, long endMs, Latencies times) {}

    /**
     * Writes the entries, added up to steps from the first start on. An entry counts in the step of its start.
     *
     * @param about what was measured: the first line
     */
    public static void write(Path file, String about, List<Entry> entries, Duration step) throws IOException {
        List<Entry> sums = sum(entries, step);
        long base = sums.isEmpty() ? 0 : sums.get(0).startMs();
        Files.createDirectories(file.toAbsolutePath().getParent());
        try (var out = file.toString().endsWith(".gz")
                ? new GZIPOutputStream(Files.newOutputStream(file))
                : Files.newOutputStream(file)) {
            HistogramLogWriter log = new HistogramLogWriter(out);
            log.outputComment("[" + about.replaceAll("\\s+", " ") + "]");
            log.outputLogFormatVersion();
            log.outputBaseTime(base);
            log.outputStartTime(base);
            log.outputLegend();
            for (Entry entry : sums) {
                Histogram histogram = entry.times().histogram().copy();
                histogram.setTag(entry.tag());
                log.outputIntervalHistogram(
                        (entry.startMs() - base) / 1e3, (entry.endMs() - base) / 1e3, histogram, Latencies.NS_PER_MS);
            }
            log.close();
        }
    }

    /** @return entries by start, then tag */
    static List<Entry> sum(List<Entry> entries, Duration step) {
        long base = entries.stream().mapToLong(Entry::startMs).min().orElse(0);
        TreeMap<Long, TreeMap<String, List<Entry>>> steps = new TreeMap<>();
        for (Entry entry : entries) {
            steps.computeIfAbsent((entry.startMs() - base) / step.toMillis(), s -> new TreeMap<>())
                    .computeIfAbsent(entry.tag(), t -> new ArrayList<>())
                    .add(entry);
        }
        List<Entry> sums = new ArrayList<>();
        steps.values().forEach(tags -> tags.forEach((tag, parts) -> sums.add(sum(tag, parts))));
        return sums;
    }

    private static Entry sum(String tag, List<Entry> parts) {
        return new Entry(
                tag,
                parts.stream().mapToLong(Entry::startMs).min().orElseThrow(),
                parts.stream().mapToLong(Entry::endMs).max().orElseThrow(),
                Latencies.sum(parts.stream().map(Entry::times).toList()));
    }

    /** @throws IOException the file is missing or no interval log; the message names it */
    public static List<Entry> read(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
                HistogramLogReader log = new HistogramLogReader(in)) {
            while (log.hasNext()) {
                if (log.nextIntervalHistogram() instanceof Histogram histogram) {
                    entries.add(new Entry(
                            tag(histogram),
                            histogram.getStartTimeStamp(),
                            histogram.getEndTimeStamp(),
                            new Latencies(histogram)));
                }
            }
        } catch (RuntimeException e) {
            throw new IOException(file + " is not an interval log of HdrHistogram: " + e.getMessage(), e);
        }
        return entries;
    }

    private static String tag(EncodableHistogram histogram) {
        String tag = histogram.getTag();
        return tag == null ? "" : tag;
    }

    /** All entries of a tag together. */
    public static Latencies total(List<Entry> entries, String tag) {
        return Latencies.sum(entries.stream()
                .filter(e -> e.tag().equals(tag))
                .map(Entry::times)
                .toList());
    }
}
