package io.ringmaster.pool.mesos.picture;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A registered agent.
 *
 * @param id changes when the agent loses its state, so that machines are known by their hostnames
 * @param resources what is reserved for the role of the pool, with volumes
 */
public record Agent(String id, Machine machine, ResourceSet resources) {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
    private static final RackName NO_RACK = new RackName("default");
    private static final long MIB = 1 << 20;
    private static final double MILLIS = 1000;

    /** @param rackAttribute the attribute that names the rack; null for the zone of the fault domain */
    static Optional<Agent> of(JsonNode agent, String role, @Nullable String rackAttribute) {
        JsonNode info = agent.path("agent_info");
        String hostname = info.path("hostname").asText();
        try {
            List<MesosResource> total = MesosResource.all(agent.path("total_resources"));
            Capacity capacity = Capacity.of(total, MesosResource.all(agent.path("allocated_resources")), role);
            Machine machine = new Machine(
                    new MachineName(hostname),
                    rack(info, rackAttribute),
                    address(agent.path("pid").asText()),
                    (int) Math.floor(capacity.amount(MesosResource.CPUS) * MILLIS),
                    bytes(capacity.amount(MesosResource.MEMORY)),
                    bytes(capacity.amount(MesosResource.DISK)),
                    capacity.ports(),
                    agent.path("deactivated").asBoolean() || agent.has("drain_info"));
            ResourceSet reserved = new ResourceSet(total.stream()
                    .filter(r -> r.reservedFor().equals(Optional.of(role)))
                    .toList());
            return Optional.of(new Agent(info.path("id").path("value").asText(), machine, reserved));
        } catch (IllegalArgumentException e) {
            LOG.warn("the agent {} is left out: {}", hostname, ThrowableText.of(e));
            return Optional.empty();
        }
    }

    private static long bytes(double mebibytes) {
        long whole = (long) mebibytes;
        return whole * MIB;
    }

    /** Empty if Ringmaster cannot use the hostname as the name of a machine. */
    public static Optional<MachineName> name(String hostname) {
        try {
            return Optional.of(new MachineName(hostname));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** From {@code slave(1)@127.0.0.11:5051}. */
    private static @Nullable String address(String pid) {
        int from = pid.indexOf('@') + 1;
        int to = pid.lastIndexOf(':');
        return from > 0 && to > from ? pid.substring(from, to).replaceAll("[\\[\\]]", "") : null;
    }

    private static RackName rack(JsonNode info, @Nullable String attribute) {
        if (attribute == null) {
            String zone = info.path("domain")
                    .path("fault_domain")
                    .path("zone")
                    .path("name")
                    .asText();
            return zone.isEmpty() ? NO_RACK : new RackName(zone);
        }
        for (JsonNode one : info.path("attributes")) {
            if (one.path("name").asText().equals(attribute)) {
                return new RackName(one.path("text").path("value").asText());
            }
        }
        return NO_RACK;
    }
}
