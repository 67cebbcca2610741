package io.ringmaster.model.name;

import java.util.regex.Pattern;

/** A name that is a plain string in JSON, URLs and znodes. Implementations have a public constructor of one String. */
public interface Name {
    String value();

    /**
     * Checks a name that may come from outside.
     *
     * @throws IllegalArgumentException with the kind, the value and the allowed pattern
     */
    static void check(String kind, String value, Pattern allowed) {
        if (!allowed.matcher(value).matches()) {
            throw new IllegalArgumentException(kind + " '" + value + "' must match " + allowed.pattern());
        }
    }
}
