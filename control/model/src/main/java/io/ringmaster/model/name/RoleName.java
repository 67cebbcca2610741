package io.ringmaster.model.name;

import java.util.regex.Pattern;

/** The name of a role in Cassandra. */
public record RoleName(String value) implements Name, Comparable<RoleName> {
    private static final Pattern ALLOWED = Pattern.compile("[a-z][a-z0-9_]{0,47}");

    public RoleName {
        Name.check("role name", value, ALLOWED);
    }

    public static boolean isName(String text) {
        return ALLOWED.matcher(text).matches();
    }

    @Override
    public int compareTo(RoleName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
