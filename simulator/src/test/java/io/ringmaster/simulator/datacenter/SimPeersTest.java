package io.ringmaster.simulator.datacenter;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.ports.Peers;
import io.ringmaster.ports.PeersContract;
import io.ringmaster.simulator.fault.ActiveFaults;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.Trace;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.world.PoolKind;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The simulated exchange of reports keeps the contract while virtual time passes. */
class SimPeersTest extends PeersContract {
    private static final int PASS_MILLIS = 20;

    private final VirtualClock clock = new VirtualClock();
    private final Trace trace = new Trace(clock, line -> {});
    private final World world = new World(
            clock,
            new SeededRandom(1),
            trace,
            new ActiveFaults(Set.of()),
            Mutation.NONE,
            List.of(PoolKind.FIXED, PoolKind.FIXED));
    private final Map<DatacenterName, Server> servers = new TreeMap<>();

    private record Server(ServerProcess process, SimPeers peers) {}

    @Override
    protected Peers open(DatacenterName here, Set<DatacenterName> configured) {
        ServerProcess process = new ServerProcess(here, 1, trace);
        Server server = new Server(process, new SimPeers(process, world, this::deliver));
        servers.put(here, server);
        return server.peers();
    }

    private void deliver(DatacenterName to, DatacenterReport report) {
        if (servers.containsKey(to)) {
            servers.get(to).peers().receive(report);
        }
    }

    @Override
    protected void stop(DatacenterName datacenter) {
        servers.remove(datacenter).process().end();
    }

    /** All datacenters of the simulated world know each other. */
    @Override
    protected boolean admitsIntroductions() {
        return false;
    }

    @Override
    protected void pass() {
        clock.runUntil(clock.nowMillis() + PASS_MILLIS);
    }
}
