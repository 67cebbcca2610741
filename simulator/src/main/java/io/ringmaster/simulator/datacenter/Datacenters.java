package io.ringmaster.simulator.datacenter;

import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.simulator.fault.Breakable;
import io.ringmaster.simulator.world.MachinePark;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** All datacenters of a run: the world and the servers in it. */
public final class Datacenters implements Breakable {
    private final World world;
    private final Map<DatacenterName, Datacenter> byName = new TreeMap<>();

    /** Connects the servers to the world. */
    public Datacenters(World world) {
        this.world = world;
        World.DATACENTERS.forEach(name -> {
            Datacenter datacenter = new Datacenter(world, name, this::deliver);
            byName.put(name, datacenter);
            world.connect(name, datacenter);
        });
    }

    private void deliver(DatacenterName to, DatacenterReport report) {
        get(to).receive(report);
    }

    public Datacenter get(DatacenterName name) {
        return Objects.requireNonNull(byName.get(name), "every datacenter is there from the start");
    }

    public Collection<Datacenter> all() {
        return byName.values();
    }

    @Override
    public List<DatacenterName> datacenterNames() {
        return World.DATACENTERS;
    }

    @Override
    public boolean hasLeader(DatacenterName datacenter) {
        return get(datacenter).hasLeader();
    }

    @Override
    public void killLeaderAtCall(DatacenterName datacenter, int calls) {
        get(datacenter).killLeaderAtCall(calls);
    }

    @Override
    public void loseSession(DatacenterName datacenter) {
        get(datacenter).loseSession();
    }

    @Override
    public List<AllocationId> runningExecutors(DatacenterName datacenter) {
        return world.nodes(datacenter).values().stream()
                .filter(n -> n.executor().isUp())
                .map(n -> n.allocation().id())
                .toList();
    }

    @Override
    public void crashExecutor(DatacenterName datacenter, AllocationId allocation) {
        node(datacenter, allocation).executorExited();
    }

    @Override
    public void crashDaemon(DatacenterName datacenter, AllocationId allocation) {
        node(datacenter, allocation).daemon().crash();
    }

    private SimNode node(DatacenterName datacenter, AllocationId allocation) {
        return Objects.requireNonNull(world.nodes(datacenter).get(allocation), "only allocations in use crash");
    }

    @Override
    public boolean isPartitioned() {
        return world.isPartitioned();
    }

    @Override
    public void partition(boolean apart) {
        world.partition(apart);
    }

    @Override
    public List<MachineName> machines(DatacenterName datacenter) {
        return world.park(datacenter).all().stream().map(Machine::name).toList();
    }

    @Override
    public boolean isUp(DatacenterName datacenter, MachineName machine) {
        MachinePark park = world.park(datacenter);
        return park.isUp(machine) && park.isReachable(machine);
    }

    @Override
    public boolean hasReplicasElsewhere(DatacenterName datacenter, MachineName machine) {
        return world.losses().hasReplicasElsewhere(datacenter, machine);
    }

    @Override
    public boolean canLoseContact(DatacenterName datacenter) {
        return !world.pool(datacenter).kind().hasFixedAddresses();
    }

    @Override
    public void loseContact(DatacenterName datacenter, MachineName machine, boolean down) {
        world.losses().loseContact(datacenter, machine, down);
    }

    @Override
    public void loseMachine(DatacenterName datacenter, MachineName machine) {
        world.losses().lose(datacenter, machine);
    }

    @Override
    public void loseDisks(DatacenterName datacenter, MachineName machine) {
        world.losses().loseWithDisks(datacenter, machine);
    }

    @Override
    public void returnMachine(DatacenterName datacenter, MachineName machine) {
        world.losses().giveBack(datacenter, machine);
    }
}
