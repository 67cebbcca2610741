package io.ringmaster.lab.page;

import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** Cells of tables: figures in three digits, with their spread, or the reason why there is none. */
public final class Cells {
    private Cells() {}

    /** The figure of this key with its unit, or why it is missing. The end of the page says why figures are invalid. */
    public static String cell(Measured measured, String key) {
        return measured.isInvalid(key)
                ? Measured.INVALID
                : measured.figure(key).map(Cells::cell).orElseGet(() -> measured.reason(key));
    }

    /** A value with its unit, and the lowest and highest round where there were several. */
    public static String cell(Figure figure) {
        String spread = figure.low() == null || figure.high() == null
                ? ""
                : " (" + number(figure.low()) + " to " + number(figure.high()) + ")";
        return value(figure.value(), figure.unit().text()) + spread;
    }

    /** A computed value with its unit; one that a missing figure is part of is missing too. */
    public static String value(double value, String unit) {
        return Double.isFinite(value) ? withUnit(number(value), unit) : number(value);
    }

    private static String withUnit(String number, String unit) {
        return switch (unit) {
            case "" -> number;
            case "$" -> "$" + number;
            case "/s" -> number + "/s";
            default -> number + " " + unit;
        };
    }

    /** The figure of a source as it stands there; empty where the source has none. */
    public static String seed(List<Seed> seeds, String key) {
        return seeds.stream()
                .filter(seed -> seed.key().equals(key))
                .findFirst()
                .map(seed -> withUnit(
                        BigDecimal.valueOf(seed.value()).stripTrailingZeros().toPlainString(),
                        seed.unit().text()))
                .orElse("");
    }

    /**
     * At least three significant digits; whole numbers are kept, with separators from 10,000 on.
     *
     * @param value NaN where a figure is missing
     */
    public static String number(double value) {
        if (!Double.isFinite(value)) {
            return Measured.NOT_MEASURED;
        }
        double size = Math.abs(value);
        if (size >= 10_000) {
            return String.format(Locale.ROOT, "%,d", Math.round(value));
        }
        if (size >= 100 || value == Math.rint(value)) {
            return String.valueOf(Math.round(value));
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f", value);
    }
}
