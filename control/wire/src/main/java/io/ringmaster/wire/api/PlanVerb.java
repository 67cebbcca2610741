package io.ringmaster.wire.api;

import java.util.Locale;

/** What a person may ask of a plan. */
public enum PlanVerb {
    PAUSE,
    RESUME,
    ABORT,
    /** Begin the failed steps, or one of them, again. */
    RETRY,
    /** Declare a step done without it being done. */
    FORCE_COMPLETE;

    /** As it stands in the URL: {@code force-complete}. */
    public String path() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
