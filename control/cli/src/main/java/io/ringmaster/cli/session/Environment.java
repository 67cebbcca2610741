package io.ringmaster.cli.session;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * The process environment of a command, as a value so that tests can replace it.
 *
 * @param variables environment variables
 * @param person whether a user at a terminal can answer questions
 * @param root folder of the launcher script {@code ringmaster}
 */
public record Environment(
        Map<String, String> variables, Path root, InputStream in, boolean person, PrintStream out, PrintStream err) {

    public static Environment ofThisProcess() {
        return new Environment(
                System.getenv(),
                Path.of(System.getProperty("ringmaster.root", "."))
                        .toAbsolutePath()
                        .normalize(),
                System.in,
                Boolean.getBoolean("ringmaster.person"),
                new PrintStream(System.out, true, StandardCharsets.UTF_8),
                new PrintStream(System.err, true, StandardCharsets.UTF_8));
    }

    /** Folder of Ringmaster's own files: token, cache, playground. */
    public Path home() {
        String set = variables.getOrDefault("RINGMASTER_HOME", "");
        return set.isEmpty()
                ? Path.of(variables.getOrDefault("HOME", System.getProperty("user.home")), ".ringmaster")
                : Path.of(set).toAbsolutePath().normalize();
    }
}
