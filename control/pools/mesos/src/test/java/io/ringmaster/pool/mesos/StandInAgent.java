package io.ringmaster.pool.mesos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** An agent of the stand-in master: what it has, and the content of its volumes. The master guards it. */
final class StandInAgent {
    final String id;
    final String hostname;
    final ResourceBag total = new ResourceBag();
    /** Text by the id of the persistent volume, also of one that is forgotten; empty text in a new one. */
    final Map<String, String> folders = new ConcurrentHashMap<>();

    boolean registered = true;
    boolean deactivated;
    /** When offers of it may be made again. */
    long refusedUntil;

    StandInAgent(String id, String hostname) {
        this.id = id;
        this.hostname = hostname;
        scalar("cpus", 4);
        scalar("mem", 4096);
        scalar("disk", 20_000);
        ObjectNode ports = Json.mapper().createObjectNode().put("name", "ports").put("type", "RANGES");
        ports.putObject("ranges")
                .putArray("range")
                .addObject()
                .put("begin", 7000)
                .put("end", 9999);
        total.add(ports);
    }

    private void scalar(String name, double amount) {
        ObjectNode resource = Json.mapper().createObjectNode().put("name", name).put("type", "SCALAR");
        resource.putObject("scalar").put("value", amount);
        total.add(resource);
    }

    /** The ids of the persistent volumes of an allocation. */
    Stream<String> volumes(String allocation) {
        return total.json(null).findValues("persistence").stream()
                .map(p -> p.path("id").asText())
                .filter(id -> id.startsWith("vol-" + allocation + "-"));
    }

    ObjectNode info() {
        ObjectNode info =
                Json.mapper().createObjectNode().put("hostname", hostname).put("port", 5051);
        info.putObject("id").put("value", id);
        ObjectNode rack = info.putArray("attributes").addObject();
        rack.put("name", "rack").put("type", "TEXT").putObject("text").put("value", "r1");
        return info;
    }

    /** As GET_AGENTS shows it. */
    ObjectNode json() {
        ObjectNode agent = Json.mapper().createObjectNode();
        agent.set("agent_info", info());
        agent.put("active", true).put("deactivated", deactivated).put("pid", "slave(1)@" + hostname + ":5051");
        agent.set("total_resources", total.json(null));
        return agent;
    }
}
