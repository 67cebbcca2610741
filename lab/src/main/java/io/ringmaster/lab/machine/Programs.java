package io.ringmaster.lab.machine;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs programs that end. */
public final class Programs {
    private static final int SHOWN = 2000;

    private Programs() {}

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
}
