package io.ringmaster.simulator.fault;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import java.util.List;

/** The datacenters as the {@link FaultInjector} sees them: what can break, and how. */
public interface Breakable {
    List<DatacenterName> datacenterNames();

    boolean hasLeader(DatacenterName datacenter);

    /** Kills the leader at its n-th call to the outside from now on. */
    void killLeaderAtCall(DatacenterName datacenter, int calls);

    /** Does nothing without a leader. */
    void loseSession(DatacenterName datacenter);

    /** The allocations whose executor runs. */
    List<AllocationId> runningExecutors(DatacenterName datacenter);

    void crashExecutor(DatacenterName datacenter, AllocationId allocation);

    void crashDaemon(DatacenterName datacenter, AllocationId allocation);

    boolean isPartitioned();

    void partition(boolean apart);

    List<MachineName> machines(DatacenterName datacenter);

    boolean isUp(DatacenterName datacenter, MachineName machine);

    /** Whether the cluster can recover from the loss of the machine's disks. */
    boolean hasReplicasElsewhere(DatacenterName datacenter, MachineName machine);

    /** Whether the pool can lose contact with a machine, without knowing whether that is down. */
    boolean canLoseContact(DatacenterName datacenter);

    void loseContact(DatacenterName datacenter, MachineName machine, boolean down);

    void loseMachine(DatacenterName datacenter, MachineName machine);

    /** The machine and its disks are lost. */
    void loseDisks(DatacenterName datacenter, MachineName machine);

    void returnMachine(DatacenterName datacenter, MachineName machine);
}
