package io.ringmaster.cli.session;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Reads {@code 90s}, {@code 5m}, {@code 1h}, {@code 1m30s}, {@code 77.8ms}; a bare number is seconds. */
public final class Durations implements CommandLine.ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9})s?)?");

    private static final Pattern MILLIS = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,3})?)ms");

    @Override
    public Duration convert(String text) {
        var millis = MILLIS.matcher(text);
        if (millis.matches()) {
            return Duration.ofNanos(
                    new BigDecimal(millis.group(1)).movePointRight(6).longValueExact());
        }
        var m = FORM.matcher(text);
        if (text.isEmpty() || !m.matches()) {
            throw new CommandLine.TypeConversionException("'" + text + "' is not a time such as 90s, 5m, 1h or 77.8ms");
        }
        return Duration.ofHours(number(m.group(1)))
                .plusMinutes(number(m.group(2)))
                .plusSeconds(number(m.group(3)));
    }

    private static long number(String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
