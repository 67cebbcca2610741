package io.ringmaster.simulator.user;

import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.simulator.fault.Breakable;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.List;

/**
 * A node exits again and again while another one of its datacenter is down, and a user mends it by a new spec in a
 * congested network: the new target may arrive when the node serves again.
 */
public final class LateMend extends Participant {
    /** Less than a minute, after which the node may be replaced automatically. */
    private static final int DOWN_MILLIS = 45_000;

    private static final int CONGESTED_MILLIS = 15_000;
    private static final int MAX_CRASHES = 40;

    private final World world;
    private final Breakable faults;
    private final UserRequests requests;

    public LateMend(World world, Breakable faults, UserRequests requests, SeededRandom random) {
        super(world.clock(), random, 8000, 30_000);
        this.world = world;
        this.faults = faults;
        this.requests = requests;
    }

    @Override
    protected void act() {
        List<SimNode> members = world.members(random.pick(Workload.CLUSTERS)).toList();
        // the first one changes first, whatever is down
        DatacenterName datacenter = World.DATACENTERS.get(0);
        List<SimNode> here =
                members.stream().filter(n -> n.datacenter().equals(datacenter)).toList();
        if (here.size() > 1 && members.stream().allMatch(n -> n.mode() == OperatingMode.NORMAL)) {
            SimNode broken = random.pick(here);
            random.any(here.stream().filter(n -> isElsewhere(n, broken)).toList())
                    .ifPresent(dead -> breakBoth(broken, dead));
        }
    }

    private boolean isElsewhere(SimNode node, SimNode broken) {
        return !node.allocation().machine().equals(broken.allocation().machine())
                && faults.isUp(node.datacenter(), node.allocation().machine());
    }

    private void breakBoth(SimNode broken, SimNode dead) {
        world.trace().add("fault", broken.name() + " exits again and again beside " + dead.name());
        faults.loseMachine(dead.datacenter(), dead.allocation().machine());
        world.clock()
                .after(
                        DOWN_MILLIS,
                        () -> faults.returnMachine(
                                dead.datacenter(), dead.allocation().machine()));
        // an outage of less than 20 s is excused
        later(18_000, 22_000, () -> crash(broken, MAX_CRASHES));
    }

    private void crash(SimNode broken, int most) {
        broken.daemon().crash();
        if (broken.status().exits() >= PermanentFailure.EXITS) {
            later(1000, 3800, () -> mend(broken));
        } else if (most > 0) {
            later(300, 700, () -> crash(broken, most - 1));
        }
    }

    private void mend(SimNode broken) {
        world.network().congest(CONGESTED_MILLIS);
        requests.change(broken.cluster(), s -> RandomSpecs.with(s, "concurrent_reads", 8 + requests.nextParameter()));
    }
}
