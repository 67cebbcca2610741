package io.ringmaster.pool.mesos;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.pool.mesos.config.AgentPrograms;
import io.ringmaster.pool.mesos.config.MesosPoolSettings;
import io.ringmaster.ports.SampleRecords;
import java.util.List;

/** Settings and allocations of tests. */
final class MesosSamples {
    static final String MACHINE = "127.0.0.11";

    private static final int PORTS_PER_NODE = 10;

    private MesosSamples() {}

    static MesosPoolSettings settings(String master) {
        return settings(List.of(master));
    }

    static MesosPoolSettings settings(List<String> masters) {
        return new MesosPoolSettings(
                SampleRecords.DC1,
                masters,
                "ringmaster",
                System.getProperty("user.name"),
                "ringmaster",
                null,
                "rack",
                new AgentPrograms("/opt/ringmaster", "/opt/cassandra/{cassandra}/lib", "/usr/bin/java", null));
    }

    /** On the first machine, where several fit. */
    static Allocation allocation(int index) {
        int more = PORTS_PER_NODE * index;
        return new Allocation(
                new AllocationId("rides-dc1-node-" + index),
                new NodeId(SampleRecords.RIDES, SampleRecords.DC1, index),
                new MachineName(MACHINE),
                new NodePorts(7000 + more, 7001 + more, 9042 + more, 9500 + more),
                SampleRecords.RESOURCES);
    }
}
