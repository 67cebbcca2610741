import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PlacementSpec;
import io.ringmaster.model.spec.Preset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Machines of one datacenter in ten racks, and clusters of equal size on them.
 *
 * @param machineCount number of machines
 * @param clusterCount number of clusters
 */
record SampleFleet(int machineCount, int clusterCount) {
    static final DatacenterName DATACENTER = new DatacenterName("dc1");
    static final Instant BEGAN = Instant.parse("2026-01-01T00:00:00Z");
    private static final long GIBIBYTE = 1L << 30;
    private static final int RACKS = 10;
    private static final String SCHEMA = "d03783d7-0000-0000-0000-000000000000";

    int nodesPerCluster() {
        return machineCount / clusterCount;
    }

    List<Machine> machines() {
        List<Machine> machines = new ArrayList<>();
        for (int i = 0; i < machineCount; i++) {
            machines.add(new Machine(
                    machine(i),
                    new RackName("r" + i % RACKS),
                    address(i),
                    32_000,
                    128 * GIBIBYTE,
                    2_000 * GIBIBYTE,
                    new PortRange(7000, 9999),
                    false));
        }
        return machines;
    }

    private static MachineName machine(int index) {
        return new MachineName("machine-" + index);
    }

    private static String address(int index) {
        return "10." + index / 62_500 + "." + index / 250 % 250 + "." + (1 + index % 250);
    }

    ClusterName cluster(int index) {
        return new ClusterName("cluster" + index);
    }

    /** @param reads value of concurrent_reads in cassandra.yaml; another value makes another spec version */
    ClusterSpec spec(ClusterName cluster, int reads) {
        return new ClusterSpec(
                cluster,
                "5.0.9",
                Preset.PRODUCTION,
                List.of(new DatacenterSpec(DATACENTER, nodesPerCluster(), 3, List.of())),
                new NodeResources(8_000, 32 * GIBIBYTE, 8 * GIBIBYTE, 500 * GIBIBYTE),
                new JvmSpec(JvmSpec.Collector.G1, List.of()),
                Map.of("concurrent_reads", reads),
                new PlacementSpec(1));
    }

    /** Returns the record of a node that serves on this machine as version 1 of the spec says. */
    NodeRecord node(ClusterSpec spec, int index, Machine machine) {
        NodeId id = new NodeId(spec.name(), DATACENTER, index);
        NodePorts ports = new NodePorts(7000, 7001, 9042, 7070);
        AllocationId allocation = new AllocationId(id.cluster() + "-" + id.datacenter() + "-" + id.shortName());
        return NodeRecord.placed(
                        id,
                        new Allocation(allocation, id, machine.name(), ports, spec.resources()),
                        machine.rack(),
                        List.of(String.valueOf(index)),
                        1)
                .decide(1)
                .withTimes(BEGAN, BEGAN)
                .proven()
                .knownAs(id.toString(), machine.address() + ":" + ports.storage());
    }

    /** Returns the pool's report of its machines, where every node runs as decided. */
    Fact.PoolSeen seen(Collection<NodeRecord> nodes) {
        List<Machine> machines = machines();
        Map<MachineName, String> addresses = new HashMap<>();
        machines.forEach(m -> addresses.put(m.name(), m.address()));
        List<AllocationState> running = nodes.stream()
                .map(NodeRecord::allocation)
                .map(a -> AllocationState.of(a, AllocationState.Status.RUNNING, BEGAN, 1).at(addresses.get(a.machine())))
                .toList();
        return new Fact.PoolSeen(machines, running, PoolCapabilities.OF_MACHINES, 1);
    }

    /** Returns an executor's report of a node that matches its record and sees every node of its cluster NORMAL. */
    static Fact.NodeReported normal(NodeRecord node, List<NodeRecord> cluster, long loadBytes) {
        List<RingView.PeerSeen> peers = cluster.stream()
                .map(n -> new RingView.PeerSeen(
                        n.lastEndpoint(),
                        n.hostId(),
                        DATACENTER.value(),
                        n.rack().value(),
                        "NORMAL",
                        true,
                        SCHEMA))
                .toList();
        return report(
                node,
                OperatingMode.NORMAL,
                "serving",
                new RingView(node.hostId(), "5.0.9", SCHEMA, loadBytes, 0.1, 0, peers, Map.of(), List.of()));
    }

    static Fact.NodeReported report(NodeRecord node, OperatingMode mode, String activity, RingView ring) {
        return new Fact.NodeReported(new NodeStatus(
                node.id(),
                node.generation(),
                node.specVersion(),
                node.restarts(),
                mode,
                activity,
                BEGAN,
                Map.of(),
                1,
                2L,
                0,
                null,
                ring,
                null,
                Map.of()));
    }
}
