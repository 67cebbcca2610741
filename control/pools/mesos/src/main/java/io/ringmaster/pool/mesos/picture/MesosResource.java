package io.ringmaster.pool.mesos.picture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.model.fleet.PortRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One resource as Mesos describes it. Mesos compares resources field by field, so that what was reserved is sent back
 * as it was offered.
 */
public record MesosResource(JsonNode json) {
    public static final String CPUS = "cpus";
    public static final String MEMORY = "mem";
    public static final String DISK = "disk";
    public static final String PORTS = "ports";

    /** All of a list. */
    public static List<MesosResource> all(JsonNode list) {
        List<MesosResource> all = new ArrayList<>();
        list.forEach(resource -> all.add(new MesosResource(resource)));
        return all;
    }

    public String name() {
        return json.path("name").asText();
    }

    /** The amount of a resource that is not a set of ranges. */
    public double amount() {
        return json.path("scalar").path("value").asDouble();
    }

    public List<PortRange> ranges() {
        List<PortRange> ranges = new ArrayList<>();
        for (JsonNode range : json.path("ranges").path("range")) {
            int first = Math.max(1, range.path("begin").asInt());
            int last = Math.min(65_535, range.path("end").asInt());
            if (first <= last) {
                ranges.add(new PortRange(first, last));
            }
        }
        return ranges;
    }

    /** The innermost reservation. What operators are shown has it in another field than offers. */
    private @Nullable JsonNode reservation() {
        JsonNode all = json.path("reservations");
        if (!all.isEmpty()) {
            return all.get(all.size() - 1);
        }
        return json.has("reservation") ? json.path("reservation") : null;
    }

    /** The role that it is reserved for; empty if it is not. */
    public Optional<String> reservedFor() {
        JsonNode reservation = reservation();
        if (reservation != null && reservation.has("role")) {
            return Optional.of(reservation.path("role").asText());
        }
        return Optional.of(json.path("role").asText("*")).filter(role -> !role.equals("*"));
    }

    /** The role that it is allocated or offered to; empty if it is free. */
    public Optional<String> allocatedTo() {
        return Optional.of(json.path("allocation_info").path("role").asText()).filter(role -> !role.isEmpty());
    }

    /** Whether it can be reserved: free, and plain. */
    public boolean isPlain() {
        return reservedFor().isEmpty() && !json.has("disk") && !json.has("revocable") && !json.has("shared");
    }

    /** The value of a label of its reservation. */
    public Optional<String> label(String key) {
        JsonNode reservation = reservation();
        return reservation == null ? Optional.empty() : label(reservation.path("labels"), key);
    }

    /** The value of one of these labels. */
    static Optional<String> label(JsonNode labels, String key) {
        for (JsonNode label : labels.path("labels")) {
            if (label.path("key").asText().equals(key)) {
                return Optional.of(label.path("value").asText());
            }
        }
        return Optional.empty();
    }

    /** The id of the persistent volume on it. */
    public Optional<String> volume() {
        return Optional.of(json.path("disk").path("persistence").path("id").asText())
                .filter(id -> !id.isEmpty());
    }

    /** The disk below a persistent volume, as RESERVE and UNRESERVE name it. */
    public MesosResource withoutVolume() {
        ObjectNode disk = json.deepCopy();
        disk.remove(DISK);
        return new MesosResource(disk);
    }
}
