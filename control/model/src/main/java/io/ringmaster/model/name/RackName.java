package io.ringmaster.model.name;

import java.util.regex.Pattern;

/** The name of a failure domain inside a datacenter. Every value of a Kubernetes zone label is one. */
public record RackName(String value) implements Name, Comparable<RackName> {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    public RackName {
        Name.check("rack name", value, ALLOWED);
    }

    @Override
    public int compareTo(RackName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
