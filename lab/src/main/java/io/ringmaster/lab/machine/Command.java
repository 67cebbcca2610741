package io.ringmaster.lab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs a program to its end. */
public final class Command {
    private static final int TAIL = 5;

    private Command() {}

    /**
     * @param log gets what the program writes to standard error
     * @return what it wrote to standard output
     * @throws IOException it failed, or did not end in time; the message has its last lines
     */
    public static String run(ProcessBuilder builder, Path log, Duration limit)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(log.toAbsolutePath().getParent(), "out", null);
        Process process = builder.redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(line(builder) + " did not end in " + limit.toSeconds() + " s" + tail(log));
            }
            if (process.exitValue() != 0) {
                throw new IOException(
                        line(builder) + " ended with exit code " + process.exitValue() + tail(log) + tail(out));
            }
            return Files.readString(out);
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            Files.deleteIfExists(out);
        }
    }

    private static String line(ProcessBuilder builder) {
        return builder.command().stream()
                .map(word -> word.substring(word.lastIndexOf('/') + 1))
                .collect(Collectors.joining(" "));
    }

    private static String tail(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        return lines.isEmpty()
                ? ""
                : ":\n  " + String.join("\n  ", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    }
}
