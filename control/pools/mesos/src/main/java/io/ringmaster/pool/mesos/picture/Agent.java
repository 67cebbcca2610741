package io.ringmaster.pool.mesos.picture;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A registered agent.
 *
 * @param id changes when the agent loses its state, so that machines are known by their hostnames
 * @param resources all that it has, with reservations and volumes
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
            Capacity capacity = new Capacity(agent, role);
            Machine machine = new Machine(
                    new MachineName(hostname),
                    rack(info, rackAttribute),
                    address(agent.path("pid").asText()),
                    (int) Math.floor(capacity.amount(MesosResource.CPUS) * MILLIS),
                    bytes(capacity.amount(MesosResource.MEMORY)),
                    bytes(capacity.amount(MesosResource.DISK)),
                    capacity.ports(),
                    agent.path("deactivated").asBoolean() || agent.has("drain_info"));
            return Optional.of(
                    new Agent(info.path("id").path("value").asText(), machine, new ResourceSet(capacity.total)));
        } catch (IllegalArgumentException e) {
            LOG.warn("the agent {} is left out: {}", hostname, e.getMessage());
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

    /** What the role can have of an agent: nothing that other roles have reserved, or use. */
    private static final class Capacity {
        private final List<MesosResource> total;
        private final List<MesosResource> ours;
        private final List<MesosResource> others;

        Capacity(JsonNode agent, String role) {
            total = MesosResource.all(agent.path("total_resources"));
            ours = total.stream()
                    .filter(r -> r.isPlain() || r.reservedFor().equals(Optional.of(role)))
                    .toList();
            others = MesosResource.all(agent.path("allocated_resources")).stream()
                    .filter(r -> r.isPlain() && !r.allocatedTo().equals(Optional.of(role)))
                    .toList();
        }

        double amount(String name) {
            return Math.max(0, sum(ours, name) - sum(others, name));
        }

        private static double sum(List<MesosResource> resources, String name) {
            return resources.stream()
                    .filter(r -> r.name().equals(name))
                    .mapToDouble(MesosResource::amount)
                    .sum();
        }

        /** The longest range, joined over what is reserved and what is not. */
        @Nullable
        PortRange ports() {
            List<PortRange> joined = new ArrayList<>();
            ours.stream()
                    .filter(r -> r.name().equals(MesosResource.PORTS))
                    .flatMap(r -> r.ranges().stream())
                    .sorted(Comparator.comparingInt(PortRange::first))
                    .forEach(next -> {
                        PortRange last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
                        if (last != null && next.first() <= last.last() + 1) {
                            joined.set(
                                    joined.size() - 1, new PortRange(last.first(), Math.max(last.last(), next.last())));
                        } else {
                            joined.add(next);
                        }
                    });
            return joined.stream()
                    .max(Comparator.comparingInt(range -> range.last() - range.first()))
                    .orElse(null);
        }
    }
}
