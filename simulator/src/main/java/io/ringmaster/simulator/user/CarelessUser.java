package io.ringmaster.simulator.user;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.World;
import java.util.Map;

/** A user who adds nodes whenever all serve, and cleans up afterwards and whenever one is down, to make room. */
public final class CarelessUser implements Participant {
    private final World world;
    private final Workload workload;
    private final UserRequests requests;
    /** Not that of the run, so that the other users and the faults are the same without this user. */
    private final SeededRandom random;

    private boolean stopped;

    public CarelessUser(World world, Workload workload, UserRequests requests, SeededRandom random) {
        this.world = world;
        this.workload = workload;
        this.requests = requests;
        this.random = random;
    }

    @Override
    public void start() {
        world.clock().after(random.between(2000, 12_000), () -> {
            if (!stopped) {
                act(random.pick(Workload.CLUSTERS));
                start();
            }
        });
    }

    @Override
    public void stop() {
        stopped = true;
    }

    private void act(ClusterName cluster) {
        boolean allServe = world.members(cluster).allMatch(n -> n.mode() == OperatingMode.NORMAL);
        if (allServe && random.chance(0.3)) {
            workload.addNode(cluster);
            world.clock().after(random.between(5000, 60_000), () -> cleanUp(cluster));
        } else if (!allServe) {
            cleanUp(cluster);
        }
    }

    private void cleanUp(ClusterName cluster) {
        if (!stopped) {
            requests.ask("cleanup " + cluster, c -> c.requests()
                    .ask("cleanup", cluster, Map.of(), "careless", "", false));
        }
    }
}
