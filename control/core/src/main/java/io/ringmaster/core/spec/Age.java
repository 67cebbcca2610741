package io.ringmaster.core.spec;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in minutes, hours or days, as a spec and people write them: {@code 30m}, {@code 12h}, {@code 7d}. */
public final class Age {
    public static final String FORM = "a time such as 30m, 12h or 7d";
    private static final Pattern WRITTEN = Pattern.compile("([1-9]\\d{0,5})([mhd])");

    private Age() {}

    /** @return empty if the text is no such time */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = WRITTEN.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long count = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "m" -> Duration.ofMinutes(count);
                    case "h" -> Duration.ofHours(count);
                    default -> Duration.ofDays(count);
                });
    }

    /** The text that {@link #parse} reads, in the largest unit that divides the duration. Whole minutes only. */
    public static String write(Duration age) {
        long minutes = age.toMinutes();
        if (minutes % (24 * 60) == 0) {
            return minutes / (24 * 60) + "d";
        }
        return minutes % 60 == 0 ? minutes / 60 + "h" : minutes + "m";
    }
}
