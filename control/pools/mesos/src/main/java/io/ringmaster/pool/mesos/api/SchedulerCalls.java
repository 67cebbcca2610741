package io.ringmaster.pool.mesos.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import java.util.List;

/** The calls of a scheduler. {@link SchedulerStream} adds the framework's id. */
public final class SchedulerCalls {
    private SchedulerCalls() {}

    private static ObjectNode object() {
        return Json.mapper().createObjectNode();
    }

    /** A value in the form that Mesos has for ids. */
    public static ObjectNode value(String id) {
        return object().put("value", id);
    }

    private static ObjectNode call(String type) {
        return object().put("type", type);
    }

    /** @param operations in the order in which they are carried out */
    public static ObjectNode accept(String offer, List<ObjectNode> operations) {
        ObjectNode call = call("ACCEPT");
        ObjectNode accept = call.putObject("accept");
        accept.putArray("offer_ids").add(value(offer));
        // what remains is offered again at once
        accept.putObject("filters").put("refuse_seconds", 0.0);
        ArrayNode all = accept.putArray("operations");
        operations.forEach(all::add);
        return call;
    }

    /** @param refuseSeconds the time for which the same resources are not offered again, unless revived */
    public static ObjectNode decline(String offer, double refuseSeconds) {
        ObjectNode call = call("DECLINE");
        ObjectNode decline = call.putObject("decline");
        decline.putArray("offer_ids").add(value(offer));
        decline.putObject("filters").put("refuse_seconds", refuseSeconds);
        return call;
    }

    public static ObjectNode suppress(String role) {
        ObjectNode call = call("SUPPRESS");
        call.putObject("suppress").putArray("roles").add(role);
        return call;
    }

    public static ObjectNode revive() {
        return call("REVIVE");
    }

    /** Asks for the states of all tasks. */
    public static ObjectNode reconcile() {
        ObjectNode call = call("RECONCILE");
        call.putObject("reconcile").putArray("tasks");
        return call;
    }

    public static ObjectNode kill(String task, String agent) {
        ObjectNode call = call("KILL");
        call.putObject("kill").<ObjectNode>set("task_id", value(task)).set("agent_id", value(agent));
        return call;
    }

    /** Says that an update of a task has arrived; it is sent again otherwise. */
    public static ObjectNode acknowledge(JsonNode status) {
        ObjectNode call = call("ACKNOWLEDGE");
        ObjectNode acknowledge = call.putObject("acknowledge");
        acknowledge.set("agent_id", status.path("agent_id"));
        acknowledge.set("task_id", status.path("task_id"));
        acknowledge.set("uuid", status.path("uuid"));
        return call;
    }

    /** Says that an update of an operation has arrived. Its uuid is an object there, and bare text here. */
    public static ObjectNode acknowledgeOperation(JsonNode status) {
        ObjectNode call = call("ACKNOWLEDGE_OPERATION_STATUS");
        ObjectNode acknowledge = call.putObject("acknowledge_operation_status");
        acknowledge.set("agent_id", status.path("agent_id"));
        acknowledge.set("uuid", status.path("uuid").path("value"));
        acknowledge.set("operation_id", status.path("operation_id"));
        if (status.has("resource_provider_id")) {
            acknowledge.set("resource_provider_id", status.path("resource_provider_id"));
        }
        return call;
    }
}
