package io.ringmaster.integration;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NodeAnswer;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.RingView.PeerSeen;
import io.ringmaster.model.node.TaskStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Calls the companion of a playground's node as its executor does. Stop the executor first: it ends tasks that it did
 * not start.
 */
final class Companion {
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofMinutes(2);

    private final CompanionClient client;
    private final long daemonPid;

    Companion(Playground playground, String datacenter, int index) {
        this.client =
                new CompanionClient(playground.allocation(datacenter, index).resolve("volume/mgmt.sock"));
        this.daemonPid = playground.daemon(datacenter, index).pid();
    }

    NodeAnswer node() {
        try {
            return client.node(daemonPid, ANSWER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RingView ring() {
        return Objects.requireNonNull(node().ring(), "no view of the ring");
    }

    /** The one member that this node sees of another datacenter. */
    PeerSeen peer(String datacenter) {
        List<PeerSeen> there = ring().members().stream()
                .filter(p -> p.datacenter().equals(datacenter))
                .toList();
        if (there.size() != 1) {
            throw new AssertionError(there.size() + " members in " + datacenter + ": " + there);
        }
        return there.get(0);
    }

    /** Changes parameters of cassandra.yaml as they hold in the running node. */
    void set(Map<String, Object> values) {
        String answer = post("settings", Map.of("values", values, "defaults", List.of()));
        if (answer.contains("refused")) {
            throw new AssertionError(answer);
        }
    }

    /** @return its id */
    String start(NodeTask.Kind kind, Map<String, String> args) {
        String id = UUID.randomUUID().toString();
        post("task", Map.of("id", id, "kind", kind.name(), "args", args));
        return id;
    }

    /** Starts a task and waits for its end. */
    TaskStatus run(NodeTask.Kind kind, Map<String, String> args) {
        return ended(start(kind, args));
    }

    /** @throws AssertionError the task ends before it says so */
    void says(String task, Predicate<String> message) {
        TaskStatus status = Patience.until(
                "what the task says", SOON, () -> task(task), s -> s.state().isOver() || message.test(s.message()));
        if (status.state().isOver()) {
            throw new AssertionError("it has ended: " + status);
        }
    }

    TaskStatus aborted(String task) {
        post("task/abort", Map.of("id", task));
        return ended(task);
    }

    private TaskStatus ended(String id) {
        return Patience.until(
                "the end of the task", SOON, () -> task(id), s -> s.state().isOver());
    }

    private TaskStatus task(String id) {
        TaskStatus task = node().task();
        if (task == null || !task.id().equals(id)) {
            throw new IllegalStateException("another task runs: " + task);
        }
        return task;
    }

    private String post(String route, Map<String, ?> body) {
        try {
            CompanionClient.Answer answer = client.call(daemonPid, "POST /" + route, Json.bytes(body), ANSWER);
            if (answer.status() != 200) {
                throw new AssertionError(route + " " + body + ": " + answer);
            }
            return answer.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
