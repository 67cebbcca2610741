package io.ringmaster.integration;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.host.FileTree;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A real Mesos master with three agents, by the scripts in {@code integration/mesos}. */
final class MesosTestbed implements AutoCloseable {
    private static final Path SCRIPTS = Playground.ROOT.resolve("integration/mesos");
    private static final Path STATE = Playground.HOME.resolve("mesos");
    private static final long LIMIT_S = 60;

    static final String MASTER = "127.77.0.1";
    private static final String MASTER_URL = "http://" + MASTER + ":5050/api/v1";

    private MesosTestbed() {}

    /** What this computer lacks, with the next step; empty if it lacks nothing. */
    static Optional<String> lacks() {
        Playground.Result result = attempt("needs.sh");
        return result.exit() == 0
                ? Optional.empty()
                : Optional.of(result.output().strip());
    }

    static MesosTestbed up() {
        MesosTestbed testbed = new MesosTestbed();
        testbed.close(); // what a broken-off run left
        testbed.start();
        return testbed;
    }

    static String machine(int agent) {
        return "127.77.0.1" + agent;
    }

    /** The section of a server's configuration. */
    List<String> pool() {
        String dist = System.getProperty(
                "ringmaster.dist", Playground.ROOT.resolve(".build/dist").toString());
        return List.of(
                "mesos:",
                "  masters: [\"" + MASTER + ":5050\"]",
                "  role: ringmaster",
                "  principal: ringmaster",
                "  rack_attribute: rack",
                "  dist: " + dist,
                "  jars: " + Playground.HOME.resolve("cache/cassandra/{cassandra}/lib"),
                "  java: " + Path.of(System.getProperty("java.home")).resolve("bin/java"));
    }

    /** Starts what does not run. @param names such as master or agent2; none for all */
    void start(String... names) {
        List<String> arguments = new ArrayList<>(List.of(STATE.toString()));
        arguments.addAll(List.of(names));
        Playground.Result result = attempt("up.sh", arguments.toArray(String[]::new));
        if (result.exit() != 0) {
            throw new AssertionError("up.sh ended with " + result.exit() + ":\n" + result.output());
        }
    }

    /** @param name such as master or agent2 */
    ProcessHandle process(String name) {
        try {
            long pid = Long.parseLong(
                    Files.readString(STATE.resolve(name + ".pid")).strip());
            return ProcessHandle.of(pid).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the master answers to a question of operators, such as {@code GET_TASKS}. */
    JsonNode ask(String type) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(MASTER_URL))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"type\":\"" + type + "\"}"))
                .build();
        try {
            HttpResponse<String> answer =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            return Json.parse(answer.body(), JsonNode.class).path(type.toLowerCase(Locale.ROOT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** The ids of the tasks that run, by the names of their allocations. */
    Map<String, String> tasks() {
        Map<String, String> tasks = new TreeMap<>();
        for (JsonNode task : ask("GET_TASKS").path("tasks")) {
            if (task.path("state").asText().equals("TASK_RUNNING")) {
                tasks.put(
                        task.path("name").asText(),
                        task.path("task_id").path("value").asText());
            }
        }
        return tasks;
    }

    /** The ids of the persistent volumes. */
    List<String> volumes() {
        List<String> volumes = new ArrayList<>();
        ask("GET_AGENTS")
                .path("agents")
                .findValues("persistence")
                .forEach(p -> volumes.add(p.path("id").asText()));
        return volumes;
    }

    private static Playground.Result attempt(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of(SCRIPTS.resolve(script).toString()));
        command.addAll(List.of(arguments));
        try {
            Files.createDirectories(Playground.HOME);
            Path log = Playground.HOME.resolve("mesos-command.log");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(log.toFile())
                    .start();
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " hangs:\n" + Files.readString(log));
            }
            return new Playground.Result(process.exitValue(), Files.readString(log));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Ends every process of the testbed and deletes its files. */
    @Override
    public void close() {
        attempt("down.sh", STATE.toString());
        try {
            FileTree.delete(STATE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
