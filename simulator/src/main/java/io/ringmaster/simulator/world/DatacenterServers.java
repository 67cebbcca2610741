package io.ringmaster.simulator.world;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.NodeId;
import java.util.Optional;

/** The servers of one datacenter as the world sees them. */
public interface DatacenterServers {
    /** What the leader answers a node that asks for its seeds; empty when no server leads. */
    Optional<SeedAnswer> seeds(NodeId node);

    /** Whether this server holds the lead in truth; another one may believe that it does. */
    boolean isLeader(int server);

    /** An allocation changed without a command, or after its command, which the pool notices. */
    void allocationChanged(SimNode node);

    /** The pool lost contact with a machine, or has it again. */
    void machineChanged(Machine machine);
}
