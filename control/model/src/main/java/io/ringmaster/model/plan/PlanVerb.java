package io.ringmaster.model.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a user can do to a plan. */
public enum PlanVerb {
    /** Steps that have begun finish, no new one begins. */
    PAUSE,
    RESUME,
    /** Ends the plan where it is; nodes keep the targets they have. */
    ABORT,
    /** Lets failed steps begin anew. */
    RETRY,
    /** Declares a step done. */
    FORCE_COMPLETE;

    /** The word in the API and the CLI: {@code force-complete}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<PlanVerb> of(String label) {
        return Arrays.stream(values()).filter(v -> v.label().equals(label)).findFirst();
    }
}
