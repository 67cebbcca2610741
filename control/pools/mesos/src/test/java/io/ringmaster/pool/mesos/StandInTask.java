package io.ringmaster.pool.mesos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** A task of the stand-in master, which guards it. */
final class StandInTask {
    private static final Set<String> LIVE =
            Set.of("TASK_STAGING", "TASK_STARTING", "TASK_RUNNING", "TASK_KILLING", "TASK_UNREACHABLE");

    final String id;
    final String framework;
    final StandInAgent agent;
    final JsonNode info;
    final String container = UUID.randomUUID().toString();
    final List<ObjectNode> statuses = new ArrayList<>();
    String state = "TASK_STAGING";
    /** Whether the scheduler knows how it ended. */
    boolean acknowledged;

    StandInTask(String framework, StandInAgent agent, JsonNode info) {
        id = info.path("task_id").path("value").asText();
        this.framework = framework;
        this.agent = agent;
        this.info = info;
    }

    boolean isLive() {
        return LIVE.contains(state);
    }

    String label(String key) {
        for (JsonNode label : info.path("labels").path("labels")) {
            if (label.path("key").asText().equals(key)) {
                return label.path("value").asText();
            }
        }
        return "";
    }

    /** As GET_TASKS shows it. */
    ObjectNode json() {
        ObjectNode task = Json.mapper().createObjectNode();
        task.set("name", info.path("name"));
        task.set("task_id", info.path("task_id"));
        task.putObject("framework_id").put("value", framework);
        task.set("agent_id", info.path("agent_id"));
        task.put("state", state);
        task.set("resources", info.path("resources"));
        statuses.forEach(task.withArray("statuses")::add);
        task.set("labels", info.path("labels"));
        return task;
    }
}
