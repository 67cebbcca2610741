package io.ringmaster.cli.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that the user names on the command line. */
public final class InputFile {
    private InputFile() {}

    /** @param file {@code -} for standard input */
    public static String read(Path file, Environment environment) {
        try {
            return file.toString().equals("-")
                    ? new String(environment.in().readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(file);
        } catch (IOException e) {
            String why = Files.exists(file) ? e.toString() : "there is no such file";
            throw new Failure(
                    ExitCode.USAGE,
                    "cannot read " + file + ": " + why,
                    "name a file that exists, or - for standard input");
        }
    }
}
