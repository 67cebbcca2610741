package io.ringmaster.simulator.user;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Map;

/** A user who adds nodes whenever all serve, and cleans up afterwards and whenever one is down, to make room. */
public final class CarelessUser extends Participant {
    private final World world;
    private final Workload workload;
    private final UserRequests requests;

    public CarelessUser(World world, Workload workload, UserRequests requests, SeededRandom random) {
        super(world.clock(), random, 2000, 12_000);
        this.world = world;
        this.workload = workload;
        this.requests = requests;
    }

    @Override
    protected void act() {
        ClusterName cluster = random.pick(Workload.CLUSTERS);
        List<SimNode> down = world.members(cluster)
                .filter(n -> n.mode() != OperatingMode.NORMAL)
                .toList();
        if (!down.isEmpty()) {
            random.any(serving(cluster, down.get(0).datacenter())).ifPresent(this::cleanUp);
        } else if (random.chance(0.3)) {
            workload.addNode(cluster);
            later(5000, 60_000, () -> random.any(serving(cluster, random.pick(World.DATACENTERS)))
                    .ifPresent(this::cleanUp));
        }
    }

    private List<SimNode> serving(ClusterName cluster, DatacenterName datacenter) {
        return world.members(cluster)
                .filter(n -> n.datacenter().equals(datacenter) && n.mode() == OperatingMode.NORMAL)
                .toList();
    }

    private void cleanUp(SimNode node) {
        Map<String, String> params =
                Map.of("node", node.datacenter() + "/" + node.id().shortName());
        requests.ask("cleanup " + node.id(), c -> c.requests()
                .ask("cleanup", node.cluster(), params, "careless", "", false));
    }
}
