package io.ringmaster.core.placement;

import java.util.Locale;

/** Amounts as people write them. */
final class Bytes {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Bytes() {}

    /** {@code 512 MiB}; at most one decimal. */
    static String text(long bytes) {
        double amount = bytes;
        int unit = 0;
        while (amount >= 1024 && unit < UNITS.length - 1) {
            amount /= 1024;
            unit++;
        }
        return (amount == Math.rint(amount) ? Long.toString((long) amount) : String.format(Locale.ROOT, "%.1f", amount))
                + " " + UNITS[unit];
    }
}
