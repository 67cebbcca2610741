package io.ringmaster.lab.machine;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs programs that end. */
public final class ProgramRun {
    private static final int SHOWN = 2000;
    private static final int TAIL = 5;

    private ProgramRun() {}

    /**
     * @return what it printed, both streams
     * @throws IOException it cannot be started or failed; the message has the end of what it printed
     */
    public static String run(List<String> command) throws IOException, InterruptedException {
        return run(command, Path.of(""), Map.of());
    }

    /**
     * @param folder where it runs
     * @param variables added to the environment of this process
     */
    public static String run(List<String> command, Path folder, Map<String, String> variables)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toAbsolutePath().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true);
        builder.environment().putAll(variables);
        Process process = builder.start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException(
                        String.join(" ", command) + " failed with exit code " + code + ": " + end(output));
            }
            return output;
        } finally {
            process.destroy();
        }
    }

    private static String end(String output) {
        String text = output.strip();
        return text.length() <= SHOWN ? text : "... " + text.substring(text.length() - SHOWN);
    }

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
