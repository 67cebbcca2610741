package io.ringmaster.pool.mesos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Resources that are compared field by field, as Mesos does. Not safe for concurrent use. */
final class ResourceBag {
    private static final double ROUNDING = 0.0005;

    /** By all that is not the amount. */
    private final Map<ObjectNode, Double> amounts = new LinkedHashMap<>();

    private final Map<ObjectNode, NavigableSet<Integer>> ports = new LinkedHashMap<>();

    ResourceBag copy() {
        ResourceBag copy = new ResourceBag();
        copy.amounts.putAll(amounts);
        ports.forEach((shape, set) -> copy.ports.put(shape, new TreeSet<>(set)));
        return copy;
    }

    private static ObjectNode shape(JsonNode resource) {
        ObjectNode shape = resource.deepCopy();
        shape.remove(List.of("scalar", "ranges", "allocation_info", "role"));
        return shape;
    }

    private static NavigableSet<Integer> ports(JsonNode resource) {
        NavigableSet<Integer> ports = new TreeSet<>();
        for (JsonNode range : resource.path("ranges").path("range")) {
            for (int port = range.path("begin").asInt();
                    port <= range.path("end").asInt();
                    port++) {
                ports.add(port);
            }
        }
        return ports;
    }

    void add(JsonNode resource) {
        if (resource.has("ranges")) {
            ports.computeIfAbsent(shape(resource), s -> new TreeSet<>()).addAll(ports(resource));
        } else {
            amounts.merge(shape(resource), resource.path("scalar").path("value").asDouble(), Double::sum);
        }
    }

    /** @return whether it was there; otherwise nothing is changed */
    boolean remove(JsonNode resource) {
        ObjectNode shape = shape(resource);
        if (resource.has("ranges")) {
            NavigableSet<Integer> there = ports.getOrDefault(shape, new TreeSet<>());
            if (!there.containsAll(ports(resource))) {
                return false;
            }
            there.removeAll(ports(resource));
            return true;
        }
        double left = amounts.getOrDefault(shape, 0.0)
                - resource.path("scalar").path("value").asDouble();
        if (left < -ROUNDING) {
            return false;
        }
        amounts.put(shape, left);
        return true;
    }

    /** @param role that they are offered to; null for none */
    ArrayNode json(@Nullable String role) {
        ArrayNode all = Json.mapper().createArrayNode();
        amounts.forEach((shape, amount) -> {
            if (amount > ROUNDING) {
                ObjectNode resource = shape.deepCopy();
                resource.putObject("scalar").put("value", amount);
                all.add(offered(resource, role));
            }
        });
        ports.forEach((shape, set) -> {
            if (!set.isEmpty()) {
                ObjectNode resource = shape.deepCopy();
                ranges(resource.putObject("ranges").putArray("range"), set);
                all.add(offered(resource, role));
            }
        });
        return all;
    }

    private static void ranges(ArrayNode ranges, NavigableSet<Integer> set) {
        int first = set.first();
        int last = first;
        for (int port : set.tailSet(first, false)) {
            if (port > last + 1) {
                ranges.addObject().put("begin", first).put("end", last);
                first = port;
            }
            last = port;
        }
        ranges.addObject().put("begin", first).put("end", last);
    }

    private static ObjectNode offered(ObjectNode resource, @Nullable String role) {
        if (role != null) {
            resource.putObject("allocation_info").put("role", role);
        } else if (!resource.has("reservations")) {
            resource.put("role", "*");
        }
        return resource;
    }

    /** The resource without its reservation. */
    static ObjectNode unreserved(JsonNode resource) {
        ObjectNode plain = resource.deepCopy();
        plain.remove("reservations");
        return plain;
    }

    /** The disk below a volume. */
    static ObjectNode withoutVolume(JsonNode volume) {
        ObjectNode disk = volume.deepCopy();
        disk.remove("disk");
        return disk;
    }
}
