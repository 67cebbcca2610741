package io.ringmaster.pool.mesos;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A real master with three agents, by the scripts in {@code integration/mesos}. */
final class RealMesos implements AutoCloseable {
    static final String MASTER = "127.77.0.1:5050";
    static final String MACHINE = "127.77.0.11";

    private static final Path SCRIPTS = scripts();
    private static final long LIMIT_S = 60;

    private final Path state;

    private RealMesos(Path state) {
        this.state = state;
    }

    private static Path scripts() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("integration/mesos"))) {
            folder = Optional.ofNullable(folder.getParent()).orElseThrow();
        }
        return folder.resolve("integration/mesos");
    }

    /** What this computer lacks, with the next step; empty if it lacks nothing. */
    static Optional<String> lacks() {
        StringBuilder output = new StringBuilder();
        return run(output, "needs.sh") == 0
                ? Optional.empty()
                : Optional.of(output.toString().strip());
    }

    static RealMesos up() {
        try {
            RealMesos mesos = new RealMesos(Files.createTempDirectory("mesos"));
            mesos.script("up.sh");
            mesos.until(
                    "three agents", () -> mesos.ask("GET_AGENTS").path("agents").size() == 3);
            return mesos;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void script(String name) {
        StringBuilder output = new StringBuilder();
        if (run(output, name, state.toString()) != 0) {
            throw new AssertionError(name + ": " + output);
        }
    }

    private static int run(StringBuilder output, String name, String... arguments) {
        List<String> command = new ArrayList<>(List.of(SCRIPTS.resolve(name).toString()));
        command.addAll(List.of(arguments));
        try {
            Path log = Files.createTempFile("mesos", ".log");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
            output.append(Files.readString(log));
            Files.delete(log);
            return ended ? process.exitValue() : -1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited for " + what);
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }

    /** Missing while the master does not answer. */
    private JsonNode ask(String type) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + MASTER + "/api/v1"))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"type\":\"" + type + "\"}"))
                .build();
        try {
            String answer = HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
            return Json.parse(answer, JsonNode.class).path(type.toLowerCase(Locale.ROOT));
        } catch (IOException | UncheckedIOException e) {
            return Json.mapper().missingNode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** The id of the process that a task of the allocation runs, with the id of the task. */
    Optional<String> run(String allocation) {
        for (JsonNode task : ask("GET_TASKS").path("tasks")) {
            String state = task.path("state").asText();
            if (task.path("name").asText().equals(allocation)
                    && (state.equals("TASK_RUNNING") || state.equals("TASK_STARTING"))) {
                return Optional.of(task.path("task_id").path("value").asText());
            }
        }
        return Optional.empty();
    }

    /** Ends what the task runs with SIGKILL, and waits until the master knows. */
    void crash(String allocation) {
        String task = run(allocation).orElseThrow();
        ProcessHandle.allProcesses()
                .filter(p -> environment(p.pid()).contains("\0TASK_OF_TEST=" + allocation + "\0"))
                .forEach(ProcessHandle::destroyForcibly);
        until(task + " to end", () -> !run(allocation).equals(Optional.of(task)));
    }

    private static String environment(long pid) {
        try {
            return "\0"
                    + new String(Files.readAllBytes(Path.of("/proc/" + pid + "/environ")), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** A command for a task that {@link #crash} finds. */
    static String command(String allocation) {
        return "export TASK_OF_TEST=" + allocation + "; exec sleep 100000";
    }

    private Stream<Path> volume(String allocation) {
        return Stream.of(1, 2, 3)
                .map(i -> state.resolve("agent" + i + "/volumes/roles/ringmaster/vol-" + allocation))
                .filter(Files::isDirectory);
    }

    void write(String allocation, String text) {
        volume(allocation).forEach(v -> {
            try {
                Files.writeString(v.resolve("file"), text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    Optional<String> read(String allocation) {
        return volume(allocation)
                .map(v -> v.resolve("file"))
                .filter(Files::exists)
                .findFirst()
                .map(file -> {
                    try {
                        return Files.readString(file);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    @Override
    public void close() {
        script("down.sh");
    }
}
