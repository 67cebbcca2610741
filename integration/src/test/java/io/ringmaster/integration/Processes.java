package io.ringmaster.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Processes of a playground, known by the home folder in their command lines. */
final class Processes {
    private Processes() {}

    static List<ProcessHandle> mentioning(String... words) {
        return ProcessHandle.allProcesses()
                .filter(p -> p.pid() != ProcessHandle.current().pid())
                .filter(p -> {
                    String line = String.join(" ", commandLine(p.pid()));
                    return List.of(words).stream().allMatch(line::contains);
                })
                .toList();
    }

    /** All that run for a playground: what mentions its home or works in it, and what these or this test started. */
    static Set<ProcessHandle> below(Path home) {
        Stream<ProcessHandle> known = ProcessHandle.allProcesses()
                .filter(p -> String.join(" ", commandLine(p.pid())).contains(home.toString()) || worksIn(home, p));
        return Stream.concat(known, Stream.of(ProcessHandle.current()))
                .flatMap(p -> Stream.concat(Stream.of(p), p.descendants()))
                .filter(p -> p.pid() != ProcessHandle.current().pid())
                .collect(Collectors.toSet());
    }

    private static boolean worksIn(Path home, ProcessHandle process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd"))
                    .startsWith(home);
        } catch (IOException e) {
            return false; // it has ended, or is of another user
        }
    }

    static ProcessHandle only(String... words) {
        List<ProcessHandle> found = mentioning(words);
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " processes mention " + List.of(words));
        }
        return found.get(0);
    }

    /** As the kernel keeps it, so that the same process can be started again. */
    static List<String> commandLine(long pid) {
        try {
            return List.of(
                    Files.readString(Path.of("/proc/" + pid + "/cmdline")).split("\0"));
        } catch (IOException e) {
            return List.of(); // it ended between listing and reading
        }
    }

    static void kill9(ProcessHandle process) {
        process.destroyForcibly();
        try {
            process.onExit().get(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("process " + process.pid() + " survives SIGKILL", e);
        }
    }

    /** @param name such as {@code STOP}; the process must be there */
    static void signal(String name, ProcessHandle process) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new AssertionError("kill -" + name + " " + process.pid() + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start kill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Starts a command of its own session, as the playground does, so that it outlives this JVM's terminal. */
    static ProcessHandle detached(List<String> command, Path log) {
        var full = new ArrayList<>(List.of("setsid"));
        full.addAll(command);
        try {
            return new ProcessBuilder(full)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start()
                    .toHandle();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.get(0), e);
        }
    }
}
