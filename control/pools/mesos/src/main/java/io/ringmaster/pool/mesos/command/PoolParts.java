package io.ringmaster.pool.mesos.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.pool.base.PoolReports;
import io.ringmaster.pool.mesos.api.MasterConnection;
import io.ringmaster.pool.mesos.picture.Agent;
import io.ringmaster.pool.mesos.picture.Claim;
import io.ringmaster.pool.mesos.picture.ClaimResources;
import io.ringmaster.pool.mesos.picture.MesosResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** What the commands of all allocations share. */
public final class PoolParts {
    /**
     * How executors are started and reached.
     *
     * @param user that their tasks run as
     */
    public record Programs(NodeProgram program, String user, ExecutorTokens tokens) {}

    /** The subscription, and what arrives on it. */
    public record Channel(MasterConnection masters, MasterCalls calls, OfferBook offers, Feedback feedback) {}

    private final Channel channel;
    private final ClusterWatch watch;
    private final ClaimResources resources;
    private final Programs programs;
    private final PoolReports machines;
    private final MesosReports reports;
    private final Duration offerLimit;
    /** The generation of a launch that Mesos refused, by allocation. */
    private final Map<AllocationId, Long> failed = new ConcurrentHashMap<>();

    /** @param offerLimit after which a command that waits for an offer lets others of its allocation go first */
    public PoolParts(
            Channel channel,
            ClusterWatch watch,
            ClaimResources resources,
            Programs programs,
            PoolReports machines,
            Duration offerLimit) {
        this.channel = channel;
        this.watch = watch;
        this.resources = resources;
        this.programs = programs;
        this.machines = machines;
        this.offerLimit = offerLimit;
        reports = new MesosReports(watch, machines);
    }

    MasterConnection masters() {
        return channel.masters();
    }

    MasterCalls calls() {
        return channel.calls();
    }

    OfferBook offers() {
        return channel.offers();
    }

    Feedback feedback() {
        return channel.feedback();
    }

    ClusterWatch watch() {
        return watch;
    }

    ClaimResources resources() {
        return resources;
    }

    public MesosReports reports() {
        return reports;
    }

    Duration offerLimit() {
        return offerLimit;
    }

    /** Whether the master has listed this machine. */
    boolean isKnown(MachineName machine) {
        return machines.machine(machine).isPresent();
    }

    Optional<Allocation> lastReported(AllocationId id) {
        return machines.state(id).map(AllocationState::allocation);
    }

    /** The id of an operation, which is never used twice. */
    String newOperation(AllocationId id) {
        return id + "." + UUID.randomUUID();
    }

    boolean hasFailed(AllocationId id, long generation) {
        return failed.getOrDefault(id, 0L) == generation;
    }

    void noteLaunch(AllocationId id, long generation, boolean refused) {
        if (refused) {
            failed.put(id, generation);
        } else {
            failed.remove(id);
        }
    }

    ObjectNode launch(String task, Offer offer, Claim claim, List<MesosResource> used, String version, Agent agent) {
        String address = agent.machine().address();
        String command = programs.program()
                .command(new NodeProgram.Start(
                        claim.allocation(), version, address == null ? "" : address, claim.launched()));
        TaskTemplate.Run run = new TaskTemplate.Run(
                command,
                programs.user(),
                programs.tokens().ofTask(claim.allocation().id()));
        return TaskTemplate.launch(task, offer.agent(), claim, used, run);
    }
}
