package io.ringmaster.core.spec;

import java.math.BigInteger;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kinds of Cassandra's parameters. Each takes what Cassandra takes; a detail in the table of parameters bounds it.
 */
enum ParameterKind {
    BOOLEAN("true or false"),
    INT("a whole number"),
    LONG("a whole number"),
    DOUBLE("a number"),
    STRING("a text"),
    /** {@code ms int}: the smallest unit, and the type that holds the number of them. */
    DURATION("a whole number with a unit"),
    SECONDS("a whole number of seconds, or one with s, m, h or d, such as 4h"),
    SIZE("a whole number with a unit"),
    RATE("a whole number with B/s, KiB/s or MiB/s, such as 16MiB/s"),
    ENUM("one of a list"),
    LIST("a list"),
    /** The name of a class, a mapping with its parameters, or a list of one. */
    CLASS("the name of a class, or a mapping of class_name and parameters"),
    MAP("a mapping"),
    /** A mapping whose values Cassandra reads by what they look like. */
    UNTYPED("a mapping"),
    ANY("a mapping");

    private static final Pattern QUANTITY = Pattern.compile("(\\d+)(\\D+)");
    private static final Map<String, ChronoUnit> TIME = Map.of(
            "ns", ChronoUnit.NANOS,
            "us", ChronoUnit.MICROS,
            "µs", ChronoUnit.MICROS,
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);
    private static final List<String> TIME_UNITS = List.of("ns", "us", "ms", "s", "m", "h", "d");
    private static final List<String> SIZE_UNITS = List.of("B", "KiB", "MiB", "GiB");
    private static final List<String> RATE_UNITS = List.of("B/s", "KiB/s", "MiB/s");

    private final String form;

    ParameterKind(String form) {
        this.form = form;
    }

    /** For people. */
    String form(String detail) {
        return switch (this) {
            case DURATION -> withUnits(TIME_UNITS, detail);
            case SIZE -> withUnits(SIZE_UNITS, detail);
            case ENUM -> "one of " + detail.replace(",", ", ");
            default -> form;
        };
    }

    private static String withUnits(List<String> units, String detail) {
        String smallest = detail.split(" ", 2)[0];
        List<String> allowed = units.subList(units.indexOf(smallest), units.size());
        return "a whole number with " + String.join(", ", allowed) + ", such as 16" + smallest;
    }

    boolean isScalar() {
        return compareTo(LIST) < 0;
    }

    /** The value as Cassandra reads the text; empty if it refuses it. */
    Optional<Object> read(String text, String detail) {
        return switch (this) {
            case BOOLEAN -> Yaml11.truth(text).map(v -> v);
            case INT ->
                Yaml11.integer(text).filter(v -> v.bitLength() < Integer.SIZE).map(v -> v.intValueExact());
            case LONG ->
                Yaml11.integer(text).filter(v -> v.bitLength() < Long.SIZE).map(ParameterKind::number);
            case DOUBLE -> Yaml11.decimal(text).map(v -> Double.isFinite(v) ? v : text);
            case DURATION -> isDuration(text, detail) ? Optional.of(text) : Optional.empty();
            case SECONDS -> seconds(text);
            case SIZE -> isSize(text, detail) ? Optional.of(text) : Optional.empty();
            case RATE -> isRate(text) ? Optional.of(text) : Optional.empty();
            case ENUM -> List.of(detail.split(",", -1)).contains(text) ? Optional.of(text) : Optional.empty();
            default -> Optional.of(text);
        };
    }

    /** An Integer where it fits, as a YAML parser makes one. */
    private static Object number(BigInteger value) {
        return value.bitLength() < Integer.SIZE ? (Object) value.intValueExact() : (Object) value.longValueExact();
    }

    private static Optional<Object> seconds(String text) {
        String written = text.matches("\\d+") ? text + "s" : text;
        return isDuration(written, "s int") ? Optional.of(written) : Optional.empty();
    }

    private static boolean isDuration(String text, String detail) {
        Matcher m = QUANTITY.matcher(text);
        ChronoUnit smallest = TIME.get(detail.split(" ", 2)[0]);
        ChronoUnit unit = m.matches() ? TIME.get(m.group(2)) : null;
        return unit != null
                && smallest != null
                && unit.compareTo(smallest) >= 0
                && quantity(m)
                        .filter(q -> q <= most(detail) / unit.getDuration().dividedBy(smallest.getDuration()))
                        .filter(q -> q * unit.getDuration().dividedBy(smallest.getDuration()) < most(detail))
                        .isPresent();
    }

    private static boolean isSize(String text, String detail) {
        Matcher m = QUANTITY.matcher(text);
        int least = SIZE_UNITS.indexOf(detail.split(" ", 2)[0]);
        int unit = m.matches() ? SIZE_UNITS.indexOf(m.group(2)) : -1;
        return unit >= least
                && quantity(m)
                        .filter(q -> q <= (most(detail) - 1) >> (10 * (unit - least)))
                        .isPresent();
    }

    private static boolean isRate(String text) {
        Matcher m = QUANTITY.matcher(text);
        int unit = m.matches() ? RATE_UNITS.indexOf(m.group(2)) : -1;
        return unit >= 0
                && quantity(m)
                        .filter(q -> q * Math.pow(1024, unit) < Long.MAX_VALUE)
                        .isPresent();
    }

    private static Optional<Long> quantity(Matcher m) {
        try {
            return Optional.of(Long.parseLong(m.group(1)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static long most(String detail) {
        return detail.endsWith(" int") ? Integer.MAX_VALUE : Long.MAX_VALUE;
    }
}
