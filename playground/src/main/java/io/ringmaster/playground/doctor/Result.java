package io.ringmaster.playground.doctor;

import org.jspecify.annotations.Nullable;

/**
 * What a check found.
 *
 * @param what the thing looked at, one word
 * @param found in one sentence
 * @param advice what to do, or null when nothing needs doing
 */
public record Result(String what, Status status, String found, @Nullable String advice) {

    public enum Status {
        OK,
        /** It works, but worse than it could. */
        WARN,
        /** A playground cannot run so. */
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
