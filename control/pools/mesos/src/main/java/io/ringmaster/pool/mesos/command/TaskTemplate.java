package io.ringmaster.pool.mesos.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import io.ringmaster.pool.mesos.api.SchedulerCalls;
import io.ringmaster.pool.mesos.picture.Claim;
import io.ringmaster.pool.mesos.picture.ClaimResources;
import io.ringmaster.pool.mesos.picture.MesosResource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Operations and tasks as Mesos takes them. */
final class TaskTemplate {
    /** Drain 60 s, TERM 30 s, KILL 10 s, and air: the executor ends its daemon in that time. */
    static final long GRACE_S = 130;

    private static final long NANOS = 1_000_000_000L;

    private TaskTemplate() {}

    /** @param type RESERVE, UNRESERVE, CREATE or DESTROY */
    static ObjectNode operation(String type, String id, List<MesosResource> resources) {
        ObjectNode operation = Json.mapper().createObjectNode().put("type", type);
        operation.set("id", SchedulerCalls.value(id));
        boolean volumes = type.equals("CREATE") || type.equals("DESTROY");
        ArrayNode list = operation.putObject(type.toLowerCase(Locale.ROOT)).putArray(volumes ? "volumes" : "resources");
        resources.forEach(r -> list.add(r.json()));
        return operation;
    }

    /**
     * What a task runs.
     *
     * @param user that it runs as; Mesos would use that with which the framework first subscribed
     * @param token of the executor; empty if that has it from its agent
     */
    record Run(String command, String user, Optional<String> token) {}

    /** @param resources all that the task uses: those of its claim, with the volume */
    static ObjectNode launch(String taskId, String agent, Claim claim, List<MesosResource> resources, Run run) {
        ObjectNode launch = Json.mapper().createObjectNode().put("type", "LAUNCH");
        ObjectNode task = launch.putObject("launch").putArray("task_infos").addObject();
        task.put("name", claim.allocation().id().value());
        task.set("task_id", SchedulerCalls.value(taskId));
        task.set("agent_id", SchedulerCalls.value(agent));
        ArrayNode list = task.putArray("resources");
        resources.forEach(r -> list.add(r.json()));
        task.set("labels", ClaimResources.labels(claim));
        task.putObject("kill_policy").putObject("grace_period").put("nanoseconds", GRACE_S * NANOS);
        ObjectNode program = task.putObject("command").put("shell", true).put("value", run.command());
        program.put("user", run.user());
        // never of the type SECRET: for such a task Mesos 1.11 writes its value to a command line that lasts
        run.token().ifPresent(value -> program.putObject("environment")
                .putArray("variables")
                .addObject()
                .put("name", NodeProgram.TOKEN)
                .put("type", "VALUE")
                .put("value", value));
        return launch;
    }
}
