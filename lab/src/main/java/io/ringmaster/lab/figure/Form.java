package io.ringmaster.lab.figure;

import java.util.Locale;

/** How much of an experiment is run. */
public enum Form {
    /** Under three minutes: shows that the experiment works; its figures decide nothing. */
    SHORT,
    /** What the pages are made of. */
    FULL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
