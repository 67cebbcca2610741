package io.ringmaster.cli.session;

import java.util.Locale;

/** Output formats. */
public enum Format {
    /** For people. */
    TABLE,
    /** The answer of the API. */
    JSON,
    YAML,
    /** Rows of a query. */
    CSV;

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
