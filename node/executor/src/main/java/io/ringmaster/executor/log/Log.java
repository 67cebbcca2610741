package io.ringmaster.executor.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Writes one line per event to standard output, which the pool stores. A logging library would double the start. */
public final class Log {
    private static final long MAX_FILE_BYTES = 10L * 1024 * 1024;

    private static volatile @Nullable RotatingFile file;

    private Log() {}

    /** From now on the lines go to this file as well: a container's standard output cannot be read from inside it. */
    public static void alsoTo(Path path) {
        file = new RotatingFile(path, MAX_FILE_BYTES);
    }

    public static void info(String message) {
        write(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + message);
    }

    public static void error(String message, Throwable cause) {
        StringWriter trace = new StringWriter();
        cause.printStackTrace(new PrintWriter(trace, true));
        info(message + ": " + cause + "\n" + trace.toString().stripTrailing());
    }

    private static void write(String text) {
        System.out.println(text);
        RotatingFile also = file;
        if (also != null) {
            also.append(text + "\n");
        }
    }
}
