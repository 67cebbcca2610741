package io.ringmaster.cli.session;

import java.util.Locale;

/** How answers are printed. */
public enum Format {
    /** For people. */
    TABLE,
    /** As the API gives it. */
    JSON,
    YAML,
    /** Rows of a query. */
    CSV;

    /** As the user writes it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
