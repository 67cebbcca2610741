package io.ringmaster.executor.log;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Writes one line per event to standard output, which the pool stores. A logging library would double the start. */
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
