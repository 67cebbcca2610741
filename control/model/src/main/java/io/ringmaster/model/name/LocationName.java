package io.ringmaster.model.name;

import java.util.regex.Pattern;

/** The name of a location of backups: a folder or a bucket that each server has in a file of this name. */
public record LocationName(String value) implements Name, Comparable<LocationName> {
    private static final Pattern ALLOWED = Pattern.compile("[a-z][a-z0-9-]{0,47}");

    public LocationName {
        Name.check("location name", value, ALLOWED);
    }

    public static boolean isName(String text) {
        return ALLOWED.matcher(text).matches();
    }

    @Override
    public int compareTo(LocationName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
