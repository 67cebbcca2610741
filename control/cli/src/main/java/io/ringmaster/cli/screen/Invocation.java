package io.ringmaster.cli.screen;

import io.ringmaster.model.error.Advice;

/** How the user started this program: commands in messages are worded so that they can be typed again. */
public final class Invocation {
    /** {@code ringmaster} when installed, {@code ./ringmaster} in a source tree; set by the launcher script. */
    public static final String PROGRAM = System.getProperty("ringmaster.program", "ringmaster");

    private Invocation() {}

    public static String wording(Advice advice) {
        return advice.wording(PROGRAM);
    }
}
