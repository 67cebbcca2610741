package io.ringmaster.launcher;

import io.ringmaster.cli.session.Environment;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * Loads what common commands load, so that it stands in the class archive. Prints nothing, asks no server that exists.
 */
final class CliWarmUp {
    /** The discard port, where no server answers. */
    private static final String NO_SERVER = "127.0.0.1:9";

    private CliWarmUp() {}

    static void run() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        var environment = new Environment(
                Map.of("RINGMASTER_SERVER", NO_SERVER, "HOME", "/nonexistent"),
                Path.of("."),
                new ByteArrayInputStream(new byte[0]),
                false,
                nowhere,
                nowhere);
        Main.run(environment, "--version");
        Main.run(environment, "--help");
        Main.run(environment, "cluster", "status", "rides");
        Main.run(environment, "plan", "list", "-o", "yaml");
        Main.run(environment, "doctor", "-o", "json");
        Main.run(environment, "doctor");
    }
}
