package io.ringmaster.playground.command;

import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine;

/** Reads {@code 100Mbit} and {@code 1Gbit} as bits per second, in powers of ten as usual for networks. */
public final class Bandwidths implements CommandLine.ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,5})(kbit|Mbit|Gbit)");
    private static final Map<String, Long> UNITS = Map.of("kbit", 1_000L, "Mbit", 1_000_000L, "Gbit", 1_000_000_000L);

    @Override
    public Long convert(String text) {
        var m = FORM.matcher(text);
        if (!m.matches()) {
            throw new CommandLine.TypeConversionException(
                    "'" + text + "' is not a bandwidth such as 500kbit, 100Mbit or 1Gbit");
        }
        return Long.parseLong(m.group(1)) * UNITS.get(m.group(2));
    }
}
