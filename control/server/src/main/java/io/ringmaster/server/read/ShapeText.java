package io.ringmaster.server.read;

import io.ringmaster.model.fleet.MachineShape;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.spec.Size;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the shape of a machine, such as {@code cpus=32,memory=128GiB,disk=2TiB}. */
final class ShapeText {
    private static final List<String> PARTS = List.of("cpus", "memory", "disk", "ports");
    private static final String FORM = "cpus=32,memory=128GiB,disk=2TiB, optionally with ports=7000-9999";
    private static final Pattern CPUS = Pattern.compile("\\d{1,5}(?:\\.\\d{1,3})?");
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})-(\\d{1,5})");

    private final Map<String, String> parts = new TreeMap<>();

    private ShapeText(String text) {
        for (String part : text.split(",", -1)) {
            String[] pair = part.strip().split("=", 2);
            if (pair.length != 2 || !PARTS.contains(pair[0])) {
                throw new IllegalArgumentException(
                        "'" + part.strip() + "' is not part of a machine's shape, allowed: " + FORM);
            }
            if (parts.put(pair[0], pair[1]) != null) {
                throw new IllegalArgumentException(pair[0] + ": given twice");
            }
        }
    }

    /** @throws IllegalArgumentException naming the invalid part and the allowed form */
    static MachineShape parse(String text) {
        ShapeText shape = new ShapeText(text);
        return new MachineShape(shape.cpuMillis(), shape.bytes("memory"), shape.bytes("disk"), shape.ports());
    }

    private String required(String part) {
        String value = parts.get(part);
        if (value == null) {
            throw new IllegalArgumentException(part + ": missing, allowed: " + FORM);
        }
        return value;
    }

    private int cpuMillis() {
        String value = required("cpus");
        int millis = CPUS.matcher(value).matches()
                ? new BigDecimal(value).movePointRight(3).intValueExact()
                : 0;
        if (millis == 0) {
            throw new IllegalArgumentException("cpus: '" + value + "' must be a number of cores such as 0.5 or 32");
        }
        return millis;
    }

    private long bytes(String part) {
        String value = required(part);
        long bytes = Size.parse(value).orElse(0);
        if (bytes == 0) {
            throw new IllegalArgumentException(part + ": '" + value + "' must be " + Size.FORM);
        }
        return bytes;
    }

    private PortRange ports() {
        String value = parts.getOrDefault("ports", "7000-9999");
        Matcher range = RANGE.matcher(value);
        if (!range.matches()) {
            throw new IllegalArgumentException("ports: '" + value + "' must be a range such as 7000-9999");
        }
        return new PortRange(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)));
    }
}
