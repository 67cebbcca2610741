package io.ringmaster.ports;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Runs the commands of a test, which read nothing. */
public final class TestCommand {
    private TestCommand() {}

    /** How a command ended, with all that it printed. */
    public record Result(int exit, String output) {}

    /** @param log gets all that it prints; its folder is made */
    public static Process start(ProcessBuilder command, Path log) {
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            return command.redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.command(), e);
        }
    }

    /** A command that may fail, but must end within the limit. */
    public static Result attempt(ProcessBuilder command, Path log, Duration limit) {
        Process process = start(command, log);
        try {
            boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
            String output = Files.readString(log);
            if (!ended) {
                process.destroyForcibly();
                throw new AssertionError(command.command() + " hangs:\n" + output);
            }
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /**
     * A command that must succeed.
     *
     * @return what it printed
     */
    public static String run(ProcessBuilder command, Path log, Duration limit) {
        Result result = attempt(command, log, limit);
        if (result.exit() != 0) {
            throw new AssertionError(command.command() + " ended with " + result.exit() + ":\n" + result.output());
        }
        return result.output();
    }
}
