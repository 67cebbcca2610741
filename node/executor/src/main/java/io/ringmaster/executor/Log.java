package io.ringmaster.executor;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** One line an event on standard output, which the pool keeps as executor.log. A logging library would double the executor's start. */
public final class Log {
    private Log() {}

    public static void info(String message) {
        System.out.println(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + message);
    }

    public static void error(String message, Throwable cause) {
        info(message + ": " + cause);
        cause.printStackTrace(System.out);
    }
}
