package io.ringmaster.pool.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.json.Json;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.ports.FakePoolRecords;
import io.ringmaster.ports.RecordingFactSink;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What pool and stand-in master say to each other has the shape of what a real master of Mesos 1.11.1 and a client
 * said: {@code shapes.jsonl} holds one of each kind.
 */
class StandInShapesTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Allocation NODE = MesosSamples.allocation(0);

    private final RecordingFactSink facts = new RecordingFactSink();

    /** Paths with the types of their values, by direction and kind. */
    private static Map<String, Set<String>> recorded() throws IOException {
        Map<String, Set<String>> shapes = new HashMap<>();
        try (InputStream in = StandInShapesTest.class.getResourceAsStream("/shapes.jsonl")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                JsonNode exchange = Json.parse(line, JsonNode.class);
                JsonNode body = exchange.path("body").has("body")
                        ? exchange.path("body").path("body")
                        : exchange.path("body");
                boolean request = exchange.path("dir").asText().equals(">");
                paths("", body, shapes.computeIfAbsent(kind(request, body), k -> new TreeSet<>()));
            }
        }
        // a task may name its user, which Mesos takes from the framework otherwise
        shapes.getOrDefault("> ACCEPT", new TreeSet<>())
                .add(".accept.operations[].launch.task_infos[].command.user STRING");
        // agents and tasks were recorded without what the offers and launches before them show
        String launched = ".accept.operations[].launch.task_infos[].resources[]";
        copy(
                shapes,
                "< OFFERS",
                ".offers.offers[].resources[]",
                "< GET_AGENTS",
                ".get_agents.agents[].total_resources[]");
        for (String list : List.of("tasks", "completed_tasks", "unreachable_tasks")) {
            String task = ".get_tasks." + list + "[]";
            copy(shapes, "< TASK_ADDED", ".task_added.task", "< GET_TASKS", task);
            copy(shapes, "> ACCEPT", launched, "< GET_TASKS", task + ".resources[]");
        }
        return shapes;
    }

    private static void copy(Map<String, Set<String>> shapes, String kind, String part, String to, String as) {
        shapes.getOrDefault(kind, Set.of()).stream()
                .filter(path -> path.startsWith(part))
                .map(path -> as + path.substring(part.length()))
                .toList()
                .forEach(shapes.getOrDefault(to, new TreeSet<>())::add);
    }

    private static String kind(boolean request, JsonNode body) {
        return (request ? "> " : "< ") + body.path("type").asText();
    }

    private static void paths(String path, JsonNode node, Set<String> into) {
        if (node.isObject()) {
            node.properties().forEach(field -> paths(path + "." + field.getKey(), field.getValue(), into));
        } else if (node.isArray()) {
            node.forEach(element -> paths(path + "[]", element, into));
        } else {
            into.add(path + " " + (node.isNumber() ? "NUMBER" : node.getNodeType()));
        }
    }

    @Test
    void pool_and_stand_in_talk_as_client_and_master_were_recorded() throws IOException {
        Map<String, Set<String>> shapes = recorded();
        Set<String> unknown = new TreeSet<>();
        try (StandInMaster master = new StandInMaster(MesosSamples.MACHINE)) {
            walk(master);
            for (StandInMaster.Exchanged exchanged : master.exchanged) {
                Set<String> paths = new TreeSet<>();
                paths("", exchanged.body(), paths);
                String kind = kind(exchanged.request(), exchanged.body());
                Set<String> known = shapes.getOrDefault(kind, Set.of());
                paths.stream()
                        .filter(path -> !known.contains(path))
                        .filter(path -> !path.matches(".*tasks\\[\\]\\.(labels|statuses)\\b.*"))
                        .forEach(path -> unknown.add(kind + " " + path));
            }
        }
        assertThat(unknown).isEmpty();
    }

    /** Everything that the pool can do. */
    private void walk(StandInMaster master) {
        MesosPool pool = new MesosPool(MesosSamples.settings(master.address()), start -> "sleep 1000");
        pool.start(facts, new FakePoolRecords());
        pool.reserve(new Command.Reserve(NODE), 1);
        await(Status.RESERVED);
        pool.launch(new Command.Launch(NODE, "5.0.9", 1), 1);
        await(Status.RUNNING);
        master.lose(MesosSamples.MACHINE);
        await(Status.UNREACHABLE);
        master.find(MesosSamples.MACHINE);
        await(Status.RUNNING);
        master.crash(NODE.id().value());
        await(Status.EXITED);
        pool.relaunch(new Command.Relaunch(NODE, "5.0.9", 2), 1);
        await(Status.RUNNING);
        pool.kill(new Command.Kill(NODE.id()), 1);
        await(Status.RESERVED);
        pool.release(new Command.Release(NODE.id(), true), 1);
        facts.await(Fact.AllocationGone.class, f -> true, LIMIT);
        pool.close();
    }

    private void await(Status status) {
        facts.awaitStatus(NODE.id(), status, LIMIT);
        facts.clear();
    }
}
