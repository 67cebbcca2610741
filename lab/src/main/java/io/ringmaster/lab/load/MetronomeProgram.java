package io.ringmaster.lab.load;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.machine.ProgramRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The command that starts metronome.
 *
 * @param prefix what stands before the program: nice, where the lab may raise a priority
 */
record MetronomeProgram(List<String> prefix, Path program) {
    /** The generator goes before the servers that it measures: what it is late by, it would report of them. */
    private static final String NICENESS = "-10";

    private static final List<String> NICE = List.of("nice", "-n", NICENESS);

    /**
     * The program that METRONOME names, or else that of this checkout, built first where its sources changed.
     *
     * @throws IOException it cannot be built; the message is cargo's
     */
    static MetronomeProgram of(Bench bench, @Nullable String named) throws IOException, InterruptedException {
        Path program = named == null ? built(bench) : Path.of(named);
        if (!Files.isExecutable(program)) {
            throw new IOException("there is no program " + program + " -> unset METRONOME, or name metronome");
        }
        boolean raised = mayRaise();
        if (!raised) {
            bench.say("metronome runs at normal priority: only root may raise it");
        }
        return new MetronomeProgram(raised ? NICE : List.of(), program);
    }

    private static Path built(Bench bench) throws IOException, InterruptedException {
        Path workspace = bench.root().resolve("metronome");
        Path program = workspace.resolve("target/release/metronome");
        if (!Files.exists(program)) {
            bench.say("building metronome: about three minutes, once");
        }
        ProgramRun.run(List.of(
                "cargo",
                "build",
                "--release",
                "--locked",
                "--bin=metronome",
                "--manifest-path=" + workspace.resolve("Cargo.toml")));
        return program;
    }

    /** nice without a command prints the niceness that it has. */
    private static boolean mayRaise() throws InterruptedException {
        try {
            Process nice = new ProcessBuilder("nice", "-n", NICENESS, "nice")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String niceness = new String(nice.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return nice.waitFor(10, TimeUnit.SECONDS) && niceness.startsWith("-");
        } catch (IOException e) {
            return false; // there is no nice
        }
    }
}
