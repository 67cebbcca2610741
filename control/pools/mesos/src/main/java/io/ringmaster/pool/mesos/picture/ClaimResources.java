package io.ringmaster.pool.mesos.picture;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import io.ringmaster.model.spec.NodeResources;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a claim reserves.
 *
 * @param role of the framework
 * @param principal of the framework; null for none
 */
public record ClaimResources(String role, @Nullable String principal) {
    /** Where a task finds its volume, below its sandbox. */
    public static final String CONTAINER_PATH = "data";

    private static final double MIB = 1 << 20;
    private static final double MILLIS = 1000;

    /** CPU, memory and ports. */
    public List<MesosResource> room(Claim claim) {
        NodeResources wanted = claim.allocation().resources();
        ObjectNode ports = reserved(MesosResource.PORTS, claim);
        ports.put("type", "RANGES");
        ArrayNode ranges = ports.putObject("ranges").putArray("range");
        for (int port : new TreeSet<>(claim.allocation().ports().all())) {
            ranges.addObject().put("begin", port).put("end", port);
        }
        return List.of(
                scalar(MesosResource.CPUS, cpus(wanted), claim),
                scalar(MesosResource.MEMORY, mebibytes(wanted.memoryBytes()), claim),
                new MesosResource(ports));
    }

    static double cpus(NodeResources resources) {
        return resources.cpuMillis() / MILLIS;
    }

    static double mebibytes(long bytes) {
        return Math.ceil(bytes / MIB);
    }

    public MesosResource disk(Claim claim) {
        return scalar(
                MesosResource.DISK, mebibytes(claim.allocation().resources().diskBytes()), claim);
    }

    /** A volume on the reserved disk that did not exist before. */
    public MesosResource volume(MesosResource disk, Claim claim) {
        ObjectNode volume = disk.json().deepCopy();
        ObjectNode on = volume.putObject("disk");
        ObjectNode persistence = on.putObject("persistence");
        persistence.put("id", Claim.newVolume(claim.allocation().id()));
        if (principal != null) {
            persistence.put("principal", principal);
        }
        on.putObject("volume").put("container_path", CONTAINER_PATH).put("mode", "RW");
        return new MesosResource(volume);
    }

    private MesosResource scalar(String name, double amount, Claim claim) {
        ObjectNode resource = reserved(name, claim);
        resource.put("type", "SCALAR");
        resource.putObject("scalar").put("value", amount);
        return new MesosResource(resource);
    }

    private ObjectNode reserved(String name, Claim claim) {
        ObjectNode resource = Json.mapper().createObjectNode().put("name", name);
        resource.putObject("allocation_info").put("role", role);
        ObjectNode reservation = resource.putArray("reservations").addObject();
        reservation.put("type", "DYNAMIC").put("role", role);
        if (principal != null) {
            reservation.put("principal", principal);
        }
        reservation.set("labels", labels(claim));
        return resource;
    }

    /** The labels of reservations and tasks. */
    public static ObjectNode labels(Claim claim) {
        ObjectNode labels = Json.mapper().createObjectNode();
        ArrayNode list = labels.putArray("labels");
        list.addObject()
                .put("key", Claim.ALLOCATION_LABEL)
                .put("value", claim.allocation().id().value());
        list.addObject().put("key", Claim.CLAIM_LABEL).put("value", claim.label());
        return labels;
    }
}
