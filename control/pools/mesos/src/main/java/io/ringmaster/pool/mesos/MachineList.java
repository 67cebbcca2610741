package io.ringmaster.pool.mesos;

import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.MachineBuilder;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.pool.base.PoolReports;
import io.ringmaster.pool.mesos.picture.Agent;
import io.ringmaster.pool.mesos.picture.Claim;
import io.ringmaster.pool.mesos.picture.Picture;
import java.util.Collection;

/**
 * Reports the agents as machines. A master forgets an agent that it cannot reach, so they are remembered here: what the
 * master does not list may still run.
 */
final class MachineList {
    private final PoolReports reports;

    MachineList(PoolReports reports) {
        this.reports = reports;
    }

    /**
     * Reports what has changed since the last picture.
     *
     * @param claims also those on agents that the master has not listed since this server started
     */
    synchronized void report(Picture picture, Collection<Claim> claims) {
        picture.agents().values().stream().map(Agent::machine).forEach(reports::machineChanged);
        for (Machine machine : reports.machines()) {
            if (!isListed(picture, machine.name())) {
                reports.machineChanged(MachineBuilder.builder(machine)
                        .state(Machine.State.UNREACHABLE)
                        .build());
            }
        }
        for (Claim claim : claims) {
            MachineName name = claim.allocation().machine();
            if (reports.machine(name).isEmpty()) {
                reports.machineChanged(Machine.missing(name, claim.rack()));
            }
        }
    }

    private static boolean isListed(Picture picture, MachineName name) {
        return picture.agents().containsKey(name) || picture.expected().contains(name);
    }
}
