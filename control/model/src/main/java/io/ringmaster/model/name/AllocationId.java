package io.ringmaster.model.name;

import java.util.regex.Pattern;

/** The id of an allocation on a machine; also the name of its directory, cgroup or volume. */
public record AllocationId(String value) implements Name, Comparable<AllocationId> {
    private static final Pattern ALLOWED = Pattern.compile("[a-z0-9][a-z0-9-]{0,120}");

    public AllocationId {
        Name.check("allocation id", value, ALLOWED);
    }

    @Override
    public int compareTo(AllocationId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
