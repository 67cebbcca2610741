package io.ringmaster.pool.mesos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import io.ringmaster.ports.TestCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A real master with three agents, by the scripts in {@code integration/mesos}. */
public final class MesosTestbed implements AutoCloseable {
    /** Of the master. */
    public static final String ADDRESS = "127.77.0.1";

    public static final String MASTER = ADDRESS + ":5050";
    /** That the framework of the tests has. */
    public static final String ROLE = "ringmaster";

    private static final Path ROOT = root();
    private static final Path SCRIPTS = ROOT.resolve("integration/mesos");
    private static final Path HOME =
            ROOT.resolve(System.getenv().getOrDefault("RINGMASTER_TEST_HOME", ".build/test-home"));
    private static final Path STATE = HOME.resolve("mesos");
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int AGENTS = 3;

    private MesosTestbed() {}

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("dev"))) {
            folder = Objects.requireNonNull(folder.getParent());
        }
        return folder;
    }

    /** What this computer lacks, with the next step; empty if it lacks nothing. */
    public static Optional<String> lacks() {
        TestCommand.Result result = TestCommand.attempt(command("needs.sh"), log(), LIMIT);
        return result.exit() == 0
                ? Optional.empty()
                : Optional.of(result.output().strip());
    }

    private static ProcessBuilder command(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of(SCRIPTS.resolve(script).toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    private static Path log() {
        return HOME.resolve("mesos-command.log");
    }

    /** Starts one, and waits until all agents have registered. */
    public static MesosTestbed up() {
        MesosTestbed testbed = new MesosTestbed();
        testbed.close(); // what a broken-off run left
        try {
            testbed.start();
            testbed.until("agents register", () -> testbed.agents().size() == AGENTS);
            return testbed;
        } catch (AssertionError e) {
            testbed.close();
            throw e;
        }
    }

    /** @param agent from 1 */
    public static String machine(int agent) {
        return "127.77.0.1" + agent;
    }

    /**
     * Starts what does not run.
     *
     * @param names such as master or agent2; none for all
     */
    public void start(String... names) {
        List<String> arguments = new ArrayList<>(List.of(STATE.toString()));
        arguments.addAll(List.of(names));
        TestCommand.run(command("up.sh", arguments.toArray(String[]::new)), log(), LIMIT);
    }

    /** @param name such as master or agent2 */
    public ProcessHandle process(String name) {
        try {
            long pid = Long.parseLong(
                    Files.readString(STATE.resolve(name + ".pid")).strip());
            return ProcessHandle.of(pid).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the master answers to a question of operators, such as {@code GET_TASKS}; missing while it does not. */
    public JsonNode ask(String type) {
        return post(Json.mapper().createObjectNode().put("type", type)).path(type.toLowerCase(Locale.ROOT));
    }

    /** The answer to a call of operators; missing if there is none. */
    private static JsonNode post(ObjectNode call) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + MASTER + "/api/v1"))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.text(call)))
                .build();
        try {
            String answer = HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
            return Json.parse(answer, JsonNode.class);
        } catch (IOException | RuntimeException e) { // also what is no JSON, from a master that starts
            return Json.mapper().missingNode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private JsonNode agents() {
        return ask("GET_AGENTS").path("agents");
    }

    /** The ids of the tasks that run, by the names of their allocations. */
    public Map<String, String> tasks() {
        Map<String, String> tasks = new TreeMap<>();
        for (JsonNode task : ask("GET_TASKS").path("tasks")) {
            if (List.of("TASK_STARTING", "TASK_RUNNING")
                    .contains(task.path("state").asText())) {
                tasks.put(
                        task.path("name").asText(),
                        task.path("task_id").path("value").asText());
            }
        }
        return tasks;
    }

    /** The ids of the persistent volumes, less their random ends. */
    public List<String> volumes() {
        return volumeIds().map(id -> id.replaceFirst("-[0-9a-f]{16}$", "")).toList();
    }

    private Stream<String> volumeIds() {
        return agents().findValues("persistence").stream()
                .map(p -> p.path("id").asText())
                .distinct(); // an agent shows each of its resources several times
    }

    /** Destroys the volume of an allocation as an operator does; what is reserved stays. */
    void destroyVolume(String allocation) {
        for (JsonNode agent : agents()) {
            for (JsonNode resource : agent.path("total_resources")) {
                String volume =
                        resource.path("disk").path("persistence").path("id").asText();
                if (volume.startsWith("vol-" + allocation + "-")) {
                    ObjectNode call = Json.mapper().createObjectNode().put("type", "DESTROY_VOLUMES");
                    ObjectNode destroy = call.putObject("destroy_volumes");
                    destroy.set("agent_id", agent.path("agent_info").path("id"));
                    destroy.putArray("volumes").add(resource);
                    post(call);
                }
            }
        }
        until("the volume of " + allocation + " is gone", () -> !volumes().contains("vol-" + allocation));
    }

    /** Whether anything is reserved for an allocation. */
    boolean isReserved(String allocation) {
        return agents().findValues("labels").stream()
                .anyMatch(labels -> labels.toString().contains("\"" + allocation + "\""));
    }

    /** The folder of the volume of an allocation, on the agent that has it. */
    Optional<Path> volume(String allocation) {
        return volumeIds()
                .filter(volume -> volume.startsWith("vol-" + allocation + "-"))
                .flatMap(volume -> Stream.iterate(1, i -> i <= AGENTS, i -> i + 1)
                        .map(i -> STATE.resolve("agent" + i + "/volumes/roles/" + ROLE + "/" + volume)))
                .filter(Files::isDirectory)
                .findFirst();
    }

    void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited until " + what);
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }

    /** Ends every process of the testbed and deletes its files. */
    @Override
    public void close() {
        TestCommand.run(command("down.sh", STATE.toString()), log(), LIMIT);
        TestCommand.run(new ProcessBuilder("rm", "-rf", "--one-file-system", STATE.toString()), log(), LIMIT);
    }
}
