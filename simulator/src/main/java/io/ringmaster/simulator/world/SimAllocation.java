package io.ringmaster.simulator.world;

import io.ringmaster.core.ring.Endpoints;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.spec.NodeResources;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An allocation as its pool knows it. Every change has a revision of its own. */
public final class SimAllocation {
    private final World world;
    private final PoolMemory pool;
    private Allocation allocation;
    private NodeResources inForce;
    private @Nullable String address;
    private @Nullable String endpoint;
    private Status status = Status.RESERVED;
    private Instant since;
    private @Nullable String detail;
    private @Nullable Problem problem;
    private long revision;
    /** Counts changes of the status: what was scheduled before the last one is void. */
    private long life;

    private long launchingGeneration;
    private long launchedGeneration;

    SimAllocation(World world, Allocation allocation) {
        this.world = world;
        this.pool = world.pool(allocation.node().datacenter());
        this.allocation = allocation;
        this.inForce = allocation.resources();
        this.address = world.park(allocation.node().datacenter()).address(allocation.machine());
        this.since = world.now();
        this.revision = pool.nextRevision();
        findEndpoint();
    }

    private void findEndpoint() {
        endpoint = address == null
                ? null
                : Endpoints.endpoint(address, allocation.ports().storage());
    }

    public Allocation allocation() {
        return allocation;
    }

    /** Null before the first start, if each start has an address of its own. */
    public @Nullable String address() {
        return address;
    }

    /** Where the daemon listens; null without an address. */
    @Nullable
    String endpoint() {
        return endpoint;
    }

    public Status status() {
        return status;
    }

    public long life() {
        return life;
    }

    public NodeResources inForce() {
        return inForce;
    }

    public AllocationState state() {
        AllocationState state = AllocationState.of(allocation, status, since, revision)
                .at(address)
                .withDetail(detail)
                .withProblem(problem);
        return status == Status.RELEASED ? state : state.withResources(inForce);
    }

    public void becomes(Status next, @Nullable String doing) {
        becomes(next, doing, null);
    }

    /** @param cause why it failed, waits or cannot be reached */
    public void becomes(Status next, Problem cause) {
        becomes(next, null, cause);
    }

    private void becomes(Status next, @Nullable String doing, @Nullable Problem cause) {
        status = next;
        detail = doing;
        problem = cause;
        since = world.now();
        revision = pool.nextRevision();
        life++;
    }

    /** Other resources are decided. What runs keeps its own, unless the pool resizes in place. */
    public void decided(Allocation wanted, boolean runs) {
        allocation = wanted;
        if (!runs || pool.kind().capabilities().resizesInPlace()) {
            inForce = wanted.resources();
        }
        findEndpoint();
        revision = pool.nextRevision();
    }

    /** Whether a launch of this generation, or of a later one, is under way or did not fail. */
    public boolean isLaunched(long generation) {
        return generation <= (status == Status.LAUNCHING ? launchingGeneration : launchedGeneration);
    }

    /** The generation that the node had at the last launch that did not fail. */
    long launchedGeneration() {
        return launchedGeneration;
    }

    /** A launch starts. */
    public void launching(long generation, String doing) {
        launchingGeneration = generation;
        becomes(Status.LAUNCHING, doing);
    }

    /** The executor starts, with the resources that are decided. */
    void launched() {
        launchedGeneration = launchingGeneration;
        inForce = allocation.resources();
        if (!pool.kind().hasFixedAddresses()) {
            address = pool.nextAddress();
            findEndpoint();
        }
        becomes(Status.RUNNING, (String) null);
    }
}
