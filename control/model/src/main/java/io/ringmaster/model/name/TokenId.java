package io.ringmaster.model.name;

import java.util.regex.Pattern;

/**
 * The id of an API token: {@code dc1-x7k2m9qa} was created in dc1. It is no secret; the token itself contains it, so
 * that its record is found without a search.
 */
public record TokenId(String value) implements Name, Comparable<TokenId> {
    /** As part of longer patterns. */
    public static final String FORM = "[a-z][a-z0-9-]{0,31}-[a-z0-9]{8}";

    private static final Pattern ALLOWED = Pattern.compile(FORM);

    public TokenId {
        Name.check("token id", value, ALLOWED);
    }

    @Override
    public int compareTo(TokenId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
