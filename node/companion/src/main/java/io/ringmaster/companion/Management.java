package io.ringmaster.companion;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.companion.ManagementServer.Route;
import io.ringmaster.companion.access.NotReplicatedException;
import io.ringmaster.companion.access.TemporaryLogin;
import io.ringmaster.companion.cassandra.CompanionThreads;
import io.ringmaster.companion.cassandra.Drain;
import io.ringmaster.companion.cassandra.FailureText;
import io.ringmaster.companion.settings.Settings;
import io.ringmaster.companion.task.RunningTasks;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.service.StorageService;

/** The routes of a node's management socket. */
final class Management {
    private final ClosedCql cql = new ClosedCql();
    private final NodeView view;
    private final RunningTasks tasks = new RunningTasks();

    /** @param starter the thread that runs Cassandra's start and ends with it */
    Management(Thread starter) {
        this.view = new NodeView(starter, cql);
    }

    Map<String, Route> routes() {
        Map<String, Route> routes = new TreeMap<>();
        routes.put("GET /node", (body, reply) -> reply.json(node()));
        routes.put("GET /metrics", (body, reply) -> reply.text(Metrics.text()));
        routes.put("POST /mbean", MBeanCall::answer);
        routes.put("POST /drain", (body, reply) -> {
            view.requireStarted("drain");
            Drain.run();
            reply.json(node());
        });
        routes.put("POST /clients/open", (body, reply) -> {
            view.requireStarted("open CQL");
            cql.open(StorageService.instance::startNativeTransport);
            reply.json(node());
        });
        routes.put("POST /task", (body, reply) -> {
            view.requireStarted("start a task");
            try {
                tasks.start(body);
            } catch (IllegalArgumentException e) {
                throw new ManagementServer.Refusal(400, FailureText.of(e));
            } catch (RunningTasks.Busy e) {
                throw new ManagementServer.Refusal(409, FailureText.of(e));
            }
            reply.json(node());
        });
        routes.put("POST /task/abort", (body, reply) -> {
            tasks.abort(body.path("id").asText());
            reply.json(node());
        });
        routes.put("POST /login", (body, reply) -> {
            view.requireStarted("create a login");
            login(body);
            reply.json(Map.of("created", true));
        });
        routes.put("POST /settings", (body, reply) -> reply.json(change(body)));
        routes.put("POST /stop", (body, reply) -> {
            reply.json(Map.of("stopping", true));
            CompanionThreads.start("ringmaster-stop", () -> System.exit(0));
        });
        return routes;
    }

    /**
     * @param body {@code {"values": {"read_request_timeout": "4s"}, "defaults": ["max_hint_window"]}}
     * @return the values now in force, or why nothing was changed
     */
    private Map<String, Object> change(JsonNode body) throws ManagementServer.Refusal {
        view.requireStarted("change settings");
        Map<String, Object> values =
                Jackson.MAPPER.convertValue(body.path("values"), new TypeReference<Map<String, Object>>() {});
        List<String> defaults =
                Jackson.MAPPER.convertValue(body.path("defaults"), new TypeReference<List<String>>() {});
        try {
            return Map.of("settings", Settings.ofCassandra().change(values, defaults));
        } catch (Settings.Refused e) {
            return Map.of("refused", e.reasons());
        }
    }

    /** @param body {@code {"role": "rm_anna_x7k2", "hash": "$2a$04$...", "seconds": 43200}} */
    private static void login(JsonNode body) throws ManagementServer.Refusal {
        try {
            new TemporaryLogin(
                            body.path("role").asText(),
                            body.path("hash").asText(),
                            body.path("seconds").asLong())
                    .create();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new ManagementServer.Refusal(400, FailureText.of(e));
        } catch (NotReplicatedException e) {
            throw new ManagementServer.Refusal(409, FailureText.of(e));
        }
    }

    private Map<String, Object> node() {
        Map<String, Object> node = view.read();
        Map<String, Object> task = tasks.status();
        if (task != null) {
            node.put("task", task);
        }
        return node;
    }
}
