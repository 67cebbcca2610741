package io.ringmaster.cli.screen;

import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.Problem;

/** How the user started this program: commands in messages are worded so that they can be typed again. */
public final class Invocation {
    /** {@code ringmaster} when installed, {@code ./ringmaster} in a source tree; set by the launcher script. */
    public static final String PROGRAM = System.getProperty("ringmaster.program", "ringmaster");

    private Invocation() {}

    /** A problem in one line, with the next step. */
    public static String line(Problem problem) {
        String field = problem.field() == null ? "" : problem.field() + ": ";
        return field + problem.message() + (problem.nextStep() == null ? "" : " -> " + wording(problem.nextStep()));
    }

    public static String wording(Advice advice) {
        return advice.wording(PROGRAM);
    }
}
