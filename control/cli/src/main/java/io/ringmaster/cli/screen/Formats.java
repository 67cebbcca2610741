package io.ringmaster.cli.screen;

import java.time.Duration;
import java.util.Locale;

/** Figures with units for people. */
public final class Formats {
    private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

    private Formats() {}

    /** {@code 0 B}, {@code 512 MiB}, {@code 1.5 GiB}. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (Math.abs(value) >= 1024 && unit < BINARY.length - 1) {
            value /= 1024;
            unit++;
        }
        boolean whole = value == Math.rint(value) || value >= 100;
        return String.format(Locale.ROOT, whole ? "%.0f %s" : "%.1f %s", value, BINARY[unit]);
    }

    /** {@code 0.2 s}, {@code 18.7 s}, {@code 2m05s}, {@code 3h07m}, {@code 4d02h}. */
    public static String elapsed(Duration time) {
        Duration t = time.isNegative() ? Duration.ZERO : time;
        if (t.toSeconds() < 60) {
            return String.format(Locale.ROOT, "%.1f s", t.toMillis() / 1000.0);
        }
        if (t.toHours() < 1) {
            return String.format(Locale.ROOT, "%dm%02ds", t.toMinutes(), t.toSecondsPart());
        }
        return t.toDays() < 1
                ? String.format(Locale.ROOT, "%dh%02dm", t.toHours(), t.toMinutesPart())
                : String.format(Locale.ROOT, "%dd%02dh", t.toDays(), t.toHoursPart());
    }

    /** Seconds without the unit, in the shortest form: {@code .1}, {@code 3.4}, {@code 12.0}. */
    public static String seconds(Duration time) {
        String text = String.format(Locale.ROOT, "%.1f", Math.max(0, time.toMillis()) / 1000.0);
        return text.startsWith("0.") ? text.substring(1) : text;
    }

    /** A running clock: {@code 00:14}, {@code 1:02:03}. */
    public static String clock(Duration time) {
        Duration t = time.isNegative() ? Duration.ZERO : time;
        return t.toHours() == 0
                ? String.format(Locale.ROOT, "%02d:%02d", t.toMinutesPart(), t.toSecondsPart())
                : String.format(Locale.ROOT, "%d:%02d:%02d", t.toHours(), t.toMinutesPart(), t.toSecondsPart());
    }

    /** {@code 2} cores or {@code 0.5}. */
    public static String cores(long millis) {
        return millis % 1000 == 0 ? String.valueOf(millis / 1000) : String.format(Locale.ROOT, "%.1f", millis / 1000.0);
    }

    /** {@code 33.3 %}. */
    public static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f %%", fraction * 100);
    }

    /** {@code 1 node}, {@code 3 nodes}, {@code 2 processes}. */
    public static String count(long n, String noun) {
        return n + " " + noun + (n == 1 ? "" : noun.endsWith("s") ? "es" : "s");
    }
}
