package io.ringmaster.model.name;

import java.util.regex.Pattern;

/** The name of a pool of machines with its own server; also the datacenter that the snitch reports to Cassandra. */
public record DatacenterName(String value) implements Name, Comparable<DatacenterName> {
    private static final Pattern ALLOWED = Pattern.compile("[a-z][a-z0-9-]{0,31}");

    public DatacenterName {
        Name.check("datacenter name", value, ALLOWED);
    }

    @Override
    public int compareTo(DatacenterName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
