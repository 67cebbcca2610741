package io.ringmaster.executor.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A shell script in the place of Java, which plays the transfer program as a test says. */
public final class FakeTransfer implements AutoCloseable {
    /** Halts at the end of its input, as the program does. */
    public static final String WORKS = "report RUNNING 3; while read -r line; do :; done";

    private final Path directory;
    private final Path java;

    public FakeTransfer(Path directory) throws IOException {
        this.directory = directory;
        java = Files.writeString(
                directory.resolve("java"),
                """
                #!/bin/sh
                cd "$(dirname "$0")"
                echo "$$" >> pids
                echo "$*" >> arguments
                read -r request
                echo "$request" >> requests
                id=$(echo "$request" | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
                report() { # state, done
                    echo '{"id":"'"$id"'","kind":"BACKUP_UPLOAD","state":"'"$1"'","done":'"$2"',"total":10,\
                "unit":"bytes","message":"sends","startedAt":"2026-01-01T12:00:00Z"}'
                }
                . ./does
                """);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    }

    public Path java() {
        return java;
    }

    /** What a program does that starts from now on: shell commands, and {@code report STATE DONE}. */
    public void does(String commands) throws IOException {
        Files.writeString(directory.resolve("does"), commands + "\n");
    }

    /** The processes so far. */
    public List<Long> pids() {
        try {
            Path file = directory.resolve("pids");
            return Files.exists(file)
                    ? Files.readAllLines(file).stream().map(Long::valueOf).toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static boolean runs(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    @Override
    public void close() {
        pids().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }
}
