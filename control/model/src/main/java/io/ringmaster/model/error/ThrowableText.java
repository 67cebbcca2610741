package io.ringmaster.model.error;

import java.util.Optional;
import java.util.stream.Stream;

/** The text of a throwable for people. It is never empty, although many exceptions of the JDK have no message. */
public final class ThrowableText {
    private static final String OWN = "io.ringmaster.";

    private ThrowableText() {}

    /** The message; without one, that of the cause, or the class and the first own frame. */
    public static String of(Throwable thrown) {
        String message = thrown.getMessage();
        if (message != null && !message.isBlank() && !message.equals("null")) {
            return message;
        }
        Throwable cause = thrown.getCause();
        return cause == null || cause == thrown ? withoutMessage(thrown) : of(cause);
    }

    private static String withoutMessage(Throwable thrown) {
        StackTraceElement[] stack = thrown.getStackTrace();
        Optional<StackTraceElement> frame = Stream.of(stack)
                .filter(f -> f.getClassName().startsWith(OWN))
                .findFirst()
                .or(() -> Stream.of(stack).findFirst());
        return thrown.getClass().getName() + frame.map(f -> " at " + place(f)).orElse("");
    }

    /** {@code LeaveRing.next(LeaveRing.java:148)}. */
    private static String place(StackTraceElement frame) {
        return frame.getClassName().replaceFirst(".*\\.", "") + "." + frame.getMethodName() + "(" + frame.getFileName()
                + ":" + frame.getLineNumber() + ")";
    }
}
