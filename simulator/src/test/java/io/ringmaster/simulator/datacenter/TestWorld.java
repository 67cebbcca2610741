package io.ringmaster.simulator.datacenter;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.ports.SampleRecords;
import io.ringmaster.simulator.fault.ActiveFaults;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.Trace;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.mutation.Mutation;
import io.ringmaster.simulator.world.DatacenterServers;
import io.ringmaster.simulator.world.PoolKind;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A simulated world of two datacenters without faults, in which time passes only when the test says so. */
final class TestWorld {
    static final DatacenterName DC1 = SampleRecords.DC1;

    final VirtualClock clock = new VirtualClock();
    final Trace trace = new Trace(clock, line -> {});
    final World world;

    TestWorld(PoolKind kind) {
        ActiveFaults none = new ActiveFaults(Set.of());
        world = new World(clock, new SeededRandom(1), trace, none, Mutation.NONE, List.of(kind, kind));
    }

    /** A datacenter in which no server leads. */
    static class NoServers implements DatacenterServers {
        @Override
        public Optional<SeedAnswer> seeds(NodeId node) {
            return Optional.empty();
        }

        @Override
        public boolean isLeader(int server) {
            return false;
        }

        @Override
        public void allocationChanged(SimNode node) {}

        @Override
        public void machineChanged(Machine machine) {}
    }

    void connect(DatacenterServers servers) {
        world.connect(DC1, servers);
    }

    void pass(int millis) {
        clock.runUntil(clock.nowMillis() + millis);
    }

    ServerProcess process(DatacenterName datacenter, int number) {
        return new ServerProcess(datacenter, number, trace);
    }

    SimNode node(Allocation allocation) {
        return world.nodes(DC1).get(allocation.id());
    }
}
