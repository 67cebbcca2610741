package io.ringmaster.companion.cassandra;

import java.util.Optional;
import java.util.stream.Stream;

/** The text of a throwable for people. It is never empty: an assertion of Cassandra, for example, has no message. */
public final class FailureText {
    private static final String OWN = "io.ringmaster.";

    private FailureText() {}

    /** The message; without one, that of the cause, or the class and the first own frame. */
    public static String of(Throwable thrown) {
        String message = thrown.getMessage();
        if (message != null && !message.isBlank() && !message.equals("null")) {
            return message;
        }
        Throwable cause = thrown.getCause();
        return cause == null || cause == thrown ? withoutMessage(thrown) : of(cause);
    }

    /** The text of the innermost cause. */
    public static String ofRoot(Throwable thrown) {
        return of(root(thrown));
    }

    /** The innermost cause. */
    public static Throwable root(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The text with the class before it: a reader of the log looks for it, and an error rarely has a sentence. */
    public static String withClass(Throwable thrown) {
        String text = of(thrown);
        String type = thrown.getClass().getName();
        return text.startsWith(type) ? text : type + ": " + text;
    }

    private static String withoutMessage(Throwable thrown) {
        StackTraceElement[] stack = thrown.getStackTrace();
        Optional<StackTraceElement> frame = Stream.of(stack)
                .filter(f -> f.getClassName().startsWith(OWN))
                .findFirst()
                .or(() -> Stream.of(stack).findFirst());
        return thrown.getClass().getName() + frame.map(f -> " at " + place(f)).orElse("");
    }

    /** {@code RebuildTask.requireReplicas(RebuildTask.java:148)}. */
    private static String place(StackTraceElement frame) {
        return frame.getClassName().replaceFirst(".*\\.", "") + "." + frame.getMethodName() + "(" + frame.getFileName()
                + ":" + frame.getLineNumber() + ")";
    }
}
