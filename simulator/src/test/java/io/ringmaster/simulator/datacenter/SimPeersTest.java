package io.ringmaster.simulator.datacenter;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.ports.Peers;
import io.ringmaster.ports.PeersContract;
import io.ringmaster.simulator.world.PoolKind;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The simulated exchange of reports keeps the contract while virtual time passes. All datacenters of that world know
 * each other, so none introduces itself.
 */
class SimPeersTest extends PeersContract {
    private static final int PASS_MILLIS = 20;

    private final TestWorld sim = new TestWorld(PoolKind.FIXED);
    private final Map<DatacenterName, Server> servers = new TreeMap<>();

    private record Server(ServerProcess process, SimPeers peers) {}

    @Override
    protected Peers open(DatacenterName here, Set<DatacenterName> configured) {
        ServerProcess process = sim.process(here, 1);
        Server server = new Server(process, new SimPeers(process, sim.world, this::deliver));
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

    @Override
    protected void pass() {
        sim.pass(PASS_MILLIS);
    }
}
