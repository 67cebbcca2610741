package io.ringmaster.model.name;

import java.util.regex.Pattern;

/** The name of a host in a pool, unique in its datacenter. Every name of a Kubernetes Node is one. */
public record MachineName(String value) implements Name, Comparable<MachineName> {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");

    public MachineName {
        Name.check("machine name", value, ALLOWED);
    }

    @Override
    public int compareTo(MachineName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
