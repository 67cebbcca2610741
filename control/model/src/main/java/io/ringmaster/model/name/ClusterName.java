package io.ringmaster.model.name;

import java.util.regex.Pattern;

/** The name of one Cassandra cluster, unique in the fleet; also its Cassandra {@code cluster_name}. */
public record ClusterName(String value) implements Name, Comparable<ClusterName> {
    private static final Pattern ALLOWED = Pattern.compile("[a-z][a-z0-9-]{0,47}");

    public ClusterName {
        Name.check("cluster name", value, ALLOWED);
    }

    @Override
    public int compareTo(ClusterName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
