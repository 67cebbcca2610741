package io.ringmaster.model.error;

import org.jspecify.annotations.Nullable;

/**
 * Why a request was refused or an action failed: a value, not an exception.
 *
 * @param field the field of the spec or request that causes it, in dotted form, or null
 * @param message the cause in one sentence
 * @param nextStep what to try next, or null if there is nothing to try
 */
public record Problem(ErrorCode code, @Nullable String field, String message, @Nullable Advice nextStep) {
    /** A problem with a next step that names no command. */
    public Problem(ErrorCode code, @Nullable String field, String message, @Nullable String nextStep) {
        this(code, field, message, nextStep == null ? null : Advice.of(nextStep));
    }

    public static Problem of(ErrorCode code, String message) {
        return new Problem(code, null, message, (Advice) null);
    }

    public static Problem of(ErrorCode code, String message, String nextStep) {
        return of(code, message, Advice.of(nextStep));
    }

    public static Problem of(ErrorCode code, String message, Advice nextStep) {
        return new Problem(code, null, message, nextStep);
    }

    public static Problem field(ErrorCode code, String field, String message) {
        return new Problem(code, field, message, (Advice) null);
    }

    /** One line for people. */
    public String line() {
        return (field == null ? "" : field + ": ") + message + (nextStep == null ? "" : " -> " + nextStep);
    }
}
