package io.ringmaster.model.spec;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts of memory and disk as specs, configurations and people write them: {@code 512MiB}, {@code 1.5GiB}. */
public final class Size {
    public static final String FORM = "a size in KiB, MiB, GiB or TiB, such as 512MiB or 1.5GiB";
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?) ?(KiB|MiB|GiB|TiB)");

    private Size() {}

    /** @return the bytes, or empty if the text is not a size */
    public static OptionalLong parse(String text) {
        Matcher m = WRITTEN.matcher(text);
        if (!m.matches()) {
            return OptionalLong.empty();
        }
        BigDecimal bytes = new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(unit(m.group(2))));
        return bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
                ? OptionalLong.empty()
                : OptionalLong.of(bytes.setScale(0, RoundingMode.DOWN).longValue());
    }

    /** Exact, without a space, as {@link #parse} takes it. Whole KiB only, because a spec has no smaller unit. */
    public static String write(long bytes) {
        for (int i = UNITS.length - 1; i > 1; i--) {
            if (bytes % unit(UNITS[i]) == 0) {
                return bytes / unit(UNITS[i]) + UNITS[i];
            }
        }
        return bytes / 1024 + "KiB";
    }

    /** For people: {@code 512 MiB}, at most one decimal. */
    public static String text(long bytes) {
        double amount = bytes;
        int unit = 0;
        while (amount >= 1024 && unit < UNITS.length - 1) {
            amount /= 1024;
            unit++;
        }
        String number =
                amount == Math.rint(amount) ? Long.toString((long) amount) : String.format(Locale.ROOT, "%.1f", amount);
        return number + " " + UNITS[unit];
    }

    private static long unit(String name) {
        long bytes = 1;
        for (String unit : UNITS) {
            if (unit.equals(name)) {
                return bytes;
            }
            bytes *= 1024;
        }
        throw new IllegalArgumentException(name);
    }
}
