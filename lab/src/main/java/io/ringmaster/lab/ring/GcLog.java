package io.ringmaster.lab.ring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a JVM wrote about its collections and stops, of JDK 11, 17 or 21. Times are seconds since the start of the JVM,
 * see {@link Node#uptimeSeconds}.
 *
 * @param stops times in which all threads of the program stood still, whatever the reason
 * @param pauses collections, or phases of them, that stopped the program
 * @param stalls threads that waited for memory (ZGC)
 */
public record GcLog(List<Event> stops, List<Event> pauses, List<Event> stalls) {
    /** Name of the log in a node's folder. */
    static final String NAME = "gc.log";

    private static final String LINE = "^\\[([0-9.]+)s\\]\\[\\w+ *\\]\\[%s[^]]*\\] ";
    /** JDK 11. */
    private static final Pattern STOPPED = Pattern.compile(
            LINE.formatted("safepoint") + "Total time for which application threads were stopped: ([0-9.]+) seconds");
    /** JDK 17 and 21. */
    private static final Pattern SAFEPOINT =
            Pattern.compile(LINE.formatted("safepoint") + "Safepoint \"(\\w+)\".* Total: +(\\d+) ns");

    /** The lines at the start of a pause and those of the statistics have no length in milliseconds. */
    private static final Pattern PAUSE =
            Pattern.compile(LINE.formatted("gc") + "GC\\(\\d+\\) (?:[YyO]: )?(Pause .*?) ?([0-9.]+)ms$");

    private static final Pattern STALL =
            Pattern.compile(LINE.formatted("gc") + "(?:GC\\(\\d+\\) )?(Allocation Stall) .*?([0-9.]+)ms$");

    public GcLog {
        stops = List.copyOf(stops);
        pauses = List.copyOf(pauses);
        stalls = List.copyOf(stalls);
    }

    /**
     * Something that took time.
     *
     * @param end when it was over, in seconds since the start of the JVM; exact to a millisecond
     * @param what the JVM's name for it; empty for stops of JDK 11
     * @param seconds its length
     */
    public record Event(double end, String what, double seconds) {}

    /** The option that makes a JVM write this log. */
    static String option(Path file) {
        return "-Xlog:gc*,safepoint:file=" + file + ":uptime,level,tags:filecount=0";
    }

    public static GcLog read(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            return of(lines);
        }
    }

    static GcLog of(Stream<String> lines) {
        List<Event> stops = new ArrayList<>();
        List<Event> pauses = new ArrayList<>();
        List<Event> stalls = new ArrayList<>();
        lines.forEach(line -> {
            Matcher stopped = STOPPED.matcher(line);
            Matcher safepoint = SAFEPOINT.matcher(line);
            Matcher pause = PAUSE.matcher(line);
            Matcher stall = STALL.matcher(line);
            if (stopped.find()) {
                stops.add(new Event(number(stopped, 1), "", number(stopped, 2)));
            } else if (safepoint.find()) {
                stops.add(new Event(number(safepoint, 1), safepoint.group(2), number(safepoint, 3) / 1e9));
            } else if (pause.find()) {
                pauses.add(new Event(number(pause, 1), pause.group(2).strip(), number(pause, 3) / 1e3));
            } else if (stall.find()) {
                stalls.add(new Event(number(stall, 1), stall.group(2), number(stall, 3) / 1e3));
            }
        });
        return new GcLog(stops, pauses, stalls);
    }

    private static double number(Matcher matcher, int group) {
        return Double.parseDouble(matcher.group(group));
    }

    /** What ended in a part of the run, in seconds since the start of the JVM. */
    public GcLog between(double from, double to) {
        Predicate<Event> inside = event -> event.end() >= from && event.end() < to;
        return new GcLog(
                stops.stream().filter(inside).toList(),
                pauses.stream().filter(inside).toList(),
                stalls.stream().filter(inside).toList());
    }

    /** Time in which the program stood still, in seconds. */
    public double stoppedSeconds() {
        return stops.stream().mapToDouble(Event::seconds).sum();
    }

    /** The longest stop, in seconds; 0 without any. */
    public double longestStopSeconds() {
        return stops.stream().mapToDouble(Event::seconds).max().orElse(0);
    }

    /** Collections of the young generation that stopped the program. ZGC and Shenandoah have none. */
    public List<Event> youngPauses() {
        return pauses("Pause Young");
    }

    /** Collections of the whole heap while the program stands still. */
    public List<Event> fullPauses() {
        return pauses("Pause Full");
    }

    /** Cycles that Shenandoah ended with the program stopped, because memory ran out first. */
    public List<Event> degenerated() {
        return pauses("Pause Degenerated");
    }

    /** The starts of concurrent cycles: of the old generation for CMS and G1, of either for generational ZGC. */
    public List<Event> cycles() {
        return pauses("Pause Initial Mark", "Pause Init Mark", "Pause Mark Start", "Pause Young (Concurrent Start)");
    }

    private List<Event> pauses(String... starts) {
        return pauses.stream()
                .filter(event -> Arrays.stream(starts).anyMatch(event.what()::startsWith))
                .toList();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%d stops of %.3f s, %d pauses", stops.size(), stoppedSeconds(), pauses.size());
    }
}
