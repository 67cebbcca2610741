package io.ringmaster.pool.mesos.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import io.ringmaster.pool.mesos.config.MesosPoolSettings;
import java.util.List;

/** How the pool subscribes: one framework for all clusters of a datacenter. */
public final class FrameworkInfo {
    /** For this long Mesos keeps the tasks of a framework without a scheduler. */
    private static final double FAILOVER_TIMEOUT_S = 4 * 7 * 24 * 3600.0;

    private static final List<String> CAPABILITIES =
            List.of("PARTITION_AWARE", "MULTI_ROLE", "RESERVATION_REFINEMENT", "REGION_AWARE");

    private final MesosPoolSettings settings;
    private final FrameworkId id;

    public FrameworkInfo(MesosPoolSettings settings, FrameworkId id) {
        this.settings = settings;
        this.id = id;
    }

    /** The call SUBSCRIBE; stores the id of the framework first. */
    ObjectNode subscribe() {
        ObjectNode call = Json.mapper().createObjectNode().put("type", "SUBSCRIBE");
        ObjectNode info = call.putObject("subscribe").putObject("framework_info");
        info.put("user", settings.user());
        info.put("name", "ringmaster-" + settings.datacenter());
        info.putArray("roles").add(settings.role());
        if (settings.principal() != null) {
            info.put("principal", settings.principal());
        }
        info.put("checkpoint", true);
        info.put("failover_timeout", FAILOVER_TIMEOUT_S);
        ArrayNode capabilities = info.putArray("capabilities");
        CAPABILITIES.forEach(c -> capabilities.addObject().put("type", c));
        String stored = id.stored();
        info.set("id", SchedulerCalls.value(stored));
        call.set("framework_id", SchedulerCalls.value(stored));
        return call;
    }
}
