package io.ringmaster.lab.load;

import io.ringmaster.lab.bench.Bench;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A program that a run started, with its output in {@code NAME.out} and {@code NAME.err}. It ends with the run, by its
 * pid.
 */
final class Child implements AutoCloseable {
    /** What a program gets to end in order, if it has little to clean up. */
    private static final Duration ORDERLY = Duration.ofSeconds(3);

    private static final Duration POLL = Duration.ofMillis(20);

    private final String name;
    private final Process process;
    private final Path out;
    private final Path err;
    private final Duration orderly;

    private Child(String name, Process process, Path out, Path err, Duration orderly) {
        this.name = name;
        this.process = process;
        this.out = out;
        this.err = err;
        this.orderly = orderly;
    }

    /**
     * @param name of the output files and in messages
     * @param folder working directory of the program and place of the output files
     * @throws IOException the program cannot be started
     */
    static Child start(Bench bench, String name, Path folder, List<String> command) throws IOException {
        return start(bench, name, folder, command, ORDERLY);
    }

    /** @param orderly what it gets to end in order */
    static Child start(Bench bench, String name, Path folder, List<String> command, Duration orderly)
            throws IOException {
        Path out = folder.resolve(name + ".out");
        Path err = folder.resolve(name + ".err");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        Child child = new Child(name, process, out, err, orderly);
        try {
            return bench.closing(child);
        } catch (IllegalStateException e) {
            child.close();
            throw e;
        }
    }

    /**
     * Waits for its end.
     *
     * @return the exit code
     * @throws IOException it still ran after the limit, and was ended
     * @throws InterruptedException it was ended
     */
    int await(Duration limit) throws IOException, InterruptedException {
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            close();
            throw e;
        }
        close();
        throw new IOException(name + " still ran after " + limit.toSeconds() + " s and was ended; see " + err);
    }

    /**
     * Waits for a line of its output, or its end.
     *
     * @param file one of its two output files
     * @throws IOException there was none within the limit
     */
    void awaitLine(Path file, Predicate<String> wanted, Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (lines(file).stream().noneMatch(wanted) && process.isAlive()) {
            if (System.nanoTime() > deadline) {
                throw new IOException(name + " has sent nothing after " + limit.toSeconds() + " s; see " + err);
            }
            Thread.sleep(POLL.toMillis());
        }
    }

    Path out() {
        return out;
    }

    Path err() {
        return err;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Bytes that are no text are replaced. */
    static List<String> lines(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .toList();
    }

    /** Why it failed: the last line that is no frame of a stack trace, and where the others are. */
    IOException failed(int exitCode) throws IOException {
        String last = lines(err).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("\t"))
                .reduce((before, after) -> after)
                .orElse("it printed no reason");
        return new IOException(name + " failed with exit code " + exitCode + ": " + last.strip() + " (" + err + ")");
    }

    /** Ends it, in order if it does so in time. */
    @Override
    public void close() {
        if (!process.isAlive()) {
            return;
        }
        process.destroy();
        try {
            process.waitFor(orderly.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return name;
    }
}
