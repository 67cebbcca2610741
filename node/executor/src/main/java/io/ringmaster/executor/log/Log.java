package io.ringmaster.executor.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes one line per event to standard output, which the pool stores. A logging library would double the start. */
public final class Log {
    private static final long MAX_FILE_BYTES = 10L * 1024 * 1024;

    private static volatile @Nullable RotatingFile file;
    private static volatile String lastFrames = "";

    private Log() {}

    /** From now on the lines go to this file as well: a container's standard output cannot be read from inside it. */
    public static void alsoTo(Path path) {
        file = new RotatingFile(path, MAX_FILE_BYTES);
    }

    public static void info(String message) {
        write(Instant.now().truncatedTo(ChronoUnit.MILLIS) + " " + message);
    }

    /** Writes the stack trace as well, unless the error before had the same one: a cause may last for days. */
    public static void error(String message, Throwable cause) {
        StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text, true));
        String trace = text.toString().stripTrailing();
        // the messages may differ, for example by the name of a temporary file
        String frames = trace.lines().filter(line -> line.startsWith("\tat ")).collect(Collectors.joining());
        info(message + ": " + cause + (frames.equals(lastFrames) ? "" : "\n" + trace));
        lastFrames = frames;
    }

    private static void write(String text) {
        System.out.println(text);
        RotatingFile also = file;
        if (also != null) {
            also.append(text + "\n");
        }
    }
}
