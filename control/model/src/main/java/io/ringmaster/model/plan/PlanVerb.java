package io.ringmaster.model.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The commands that a user can give to a plan. */
public enum PlanVerb {
    /** Steps that have started finish, no other step starts. */
    PAUSE,
    RESUME,
    /** Ends the plan where it is; nodes keep the targets they have. */
    ABORT,
    /** Starts failed steps again. */
    RETRY,
    /** Declares a step done. */
    FORCE_COMPLETE;

    /** The name in the API and the CLI: {@code force-complete}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<PlanVerb> of(String label) {
        return Arrays.stream(values()).filter(v -> v.label().equals(label)).findFirst();
    }
}
