package io.ringmaster.playground;

import io.ringmaster.cli.process.Programs;
import io.ringmaster.cli.screen.Line;
import io.ringmaster.cli.terminal.Console;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Fills the cache with Cassandra's jars and their class data archive before a node needs them, and shows the progress.
 */
final class PlaygroundBinaries {
    private final Path home;
    private final Programs programs;
    private final Console console;

    PlaygroundBinaries(Path home, Programs programs, Console console) {
        this.home = home;
        this.programs = programs;
        this.console = console;
    }

    void prepare(String version) throws IOException, InterruptedException {
        Path log = PlaygroundState.directory(home).resolve("binaries.log");
        Files.createDirectories(log.getParent());
        ProcessBuilder builder = programs.server(
                "io.ringmaster.pool.local.PrepareMain",
                "--version",
                version,
                "--cache",
                home.resolve("cache").toString(),
                "--dist",
                programs.dist().toString());
        Process process = builder.redirectError(log.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .start();
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                console.print(PlaygroundScreen.stage("binaries", Line.of(withoutLogPrefix(line))));
            }
            if (process.waitFor() != 0) {
                throw new StageFailure("Cassandra " + version + " cannot be prepared", log).failure();
            }
        } finally {
            process.destroy();
        }
    }

    /** Logged warnings look like the lines that the program prints. */
    private static String withoutLogPrefix(String line) {
        return line.replaceFirst("^\\S+Z level=\\S+ thread=\\S+ logger=\\S+ ", "");
    }
}
