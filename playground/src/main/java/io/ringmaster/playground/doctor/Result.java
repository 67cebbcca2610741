package io.ringmaster.playground.doctor;

import org.jspecify.annotations.Nullable;

/**
 * Result of a check.
 *
 * @param what the checked prerequisite, one word
 * @param found the finding in one sentence
 * @param advice the next step, or null when there is nothing to do
 */
public record Result(String what, Status status, String found, @Nullable String advice) {

    public enum Status {
        OK,
        /** A playground runs, but with restrictions. */
        WARN,
        /** A playground cannot run. */
        FAIL
    }

    static Result ok(String what, String found) {
        return new Result(what, Status.OK, found, null);
    }

    static Result warn(String what, String found, String advice) {
        return new Result(what, Status.WARN, found, advice);
    }

    static Result fail(String what, String found, String advice) {
        return new Result(what, Status.FAIL, found, advice);
    }
}
