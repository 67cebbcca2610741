package io.ringmaster.core.spec;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Scalars as Cassandra's YAML library (SnakeYAML, YAML 1.1) reads them where a parameter has the type, quoted or not.
 */
public final class Yaml11 {
    private static final Map<String, Boolean> WORDS =
            Map.of("yes", true, "no", false, "true", true, "false", false, "on", true, "off", false);

    private Yaml11() {}

    /** {@code no}, {@code off} and {@code false} are false; empty for a text that is no truth value. */
    public static Optional<Boolean> truth(String text) {
        return Optional.ofNullable(WORDS.get(text.toLowerCase(Locale.ROOT)));
    }

    /** Decimal, {@code 0x}, {@code 0b}, octal with a leading zero, and base 60 such as {@code 1:30}. */
    static Optional<BigInteger> integer(String text) {
        String plain = text.replace("_", "");
        boolean negative = plain.startsWith("-");
        String digits = negative || plain.startsWith("+") ? plain.substring(1) : plain;
        try {
            BigInteger value = unsigned(digits);
            return Optional.of(negative ? value.negate() : value);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static BigInteger unsigned(String digits) {
        if (digits.startsWith("0b")) {
            return new BigInteger(digits.substring(2), 2);
        }
        if (digits.startsWith("0x")) {
            return new BigInteger(digits.substring(2), 16);
        }
        if (digits.startsWith("0") && digits.length() > 1) {
            return new BigInteger(digits.substring(1), 8);
        }
        BigInteger value = BigInteger.ZERO;
        for (String part : digits.split(":", -1)) {
            value = value.multiply(BigInteger.valueOf(60)).add(new BigInteger(part));
        }
        return value;
    }

    static Optional<Double> decimal(String text) {
        String plain = text.replace("_", "");
        boolean negative = plain.startsWith("-");
        String digits = (negative || plain.startsWith("+") ? plain.substring(1) : plain).toLowerCase(Locale.ROOT);
        try {
            double value =
                    switch (digits) {
                        case ".inf" -> Double.POSITIVE_INFINITY;
                        case ".nan" -> Double.NaN;
                        default -> base60(digits.equals("nan") ? "NaN" : digits);
                    };
            return Optional.of(negative ? -value : value);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static double base60(String digits) {
        double value = 0;
        for (String part : digits.split(":", -1)) {
            value = value * 60 + Double.parseDouble(part);
        }
        return value;
    }
}
