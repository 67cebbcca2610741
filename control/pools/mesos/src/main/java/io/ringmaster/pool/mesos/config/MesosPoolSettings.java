package io.ringmaster.pool.mesos.config;

import io.ringmaster.model.name.DatacenterName;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code pool.mesos} of a server's configuration.
 *
 * @param masters host and port of each master; the leading one is found through any of them
 * @param role of the framework, which no other framework may share
 * @param user that tasks run as on the agents
 * @param principal of the framework; null where the masters authenticate nobody
 * @param secretFile the file with the principal's secret; null for none
 * @param rackAttribute the attribute of an agent that names its rack; null for the zone of its fault domain
 * @param programs of the nodes, where they are on each agent
 */
public record MesosPoolSettings(
        DatacenterName datacenter,
        List<String> masters,
        String role,
        String user,
        @Nullable String principal,
        @Nullable Path secretFile,
        @Nullable String rackAttribute,
        AgentPrograms programs) {
    public static final String SECTION = "pool.mesos";

    public MesosPoolSettings {
        masters = List.copyOf(masters);
    }
}
