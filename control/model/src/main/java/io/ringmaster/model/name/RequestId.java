package io.ringmaster.model.name;

import java.util.Comparator;
import java.util.regex.Pattern;

/**
 * The id of a request: {@code dc1-r7} was made at a server of dc1. A server numbers a request higher than all requests
 * that it knows, its own and those of other datacenters. All datacenters therefore grant the operation lock in the same
 * order, that of the ids.
 */
public record RequestId(DatacenterName datacenter, long number) implements Name, Comparable<RequestId> {
    private static final Pattern FORM = Pattern.compile("(.+)-r(\\d{1,12})");
    private static final Comparator<RequestId> ORDER =
            Comparator.comparingLong(RequestId::number).thenComparing(RequestId::datacenter);

    /** Parses {@code dc1-r7}. */
    public static RequestId of(String text) {
        var m = FORM.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("request '" + text + "' must look like dc1-r7");
        }
        return new RequestId(new DatacenterName(m.group(1)), Long.parseLong(m.group(2)));
    }

    @Override
    public String value() {
        return datacenter + "-r" + number;
    }

    @Override
    public int compareTo(RequestId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return value();
    }
}
