package io.ringmaster.model.name;

import java.util.Comparator;
import java.util.regex.Pattern;

/** The id of the n-th plan of a datacenter's server: {@code dc1-7}. */
public record PlanId(DatacenterName datacenter, long number) implements Name, Comparable<PlanId> {
    private static final Pattern FORM = Pattern.compile("(.+)-(\\d{1,12})");
    private static final Comparator<PlanId> ORDER =
            Comparator.comparing(PlanId::datacenter).thenComparingLong(PlanId::number);

    /** Parses {@code dc1-7}. */
    public static PlanId of(String text) {
        var m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("plan '" + text + "' must look like dc1-7");
        }
        return new PlanId(new DatacenterName(m.group(1)), Long.parseLong(m.group(2)));
    }

    @Override
    public String value() {
        return datacenter + "-" + number;
    }

    @Override
    public int compareTo(PlanId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return value();
    }
}
