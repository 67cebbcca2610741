package io.ringmaster.simulator.world;

import io.ringmaster.core.ring.Endpoints;
import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One allocation with its volume, its executor and its Cassandra daemon. */
public final class SimNode {
    private final World world;
    private final String hostId;
    private final long createdMillis;
    private final SimDaemon daemon;
    private final SimExecutor executor;
    private Allocation allocation;
    private AllocationState.Status allocationStatus = AllocationState.Status.RESERVED;
    private Instant allocationSince;
    private @Nullable Problem allocationProblem;
    private @Nullable String allocationDetail;
    private long allocationRevision;
    private long launchedGeneration;
    private @Nullable SeedAnswer lastSeeds;

    /** On the volume: the node was NORMAL once. */
    private boolean joined;

    /** On the volume: the node left the ring, and Cassandra refuses to start on it again. */
    private boolean left;

    /** On the volume: the time of the last repair of its ranges. */
    private @Nullable Instant repairedAt;

    /** On the volume: the keyspaces whose rows are complete here. */
    private final Set<String> rows = new TreeSet<>();

    /** In gossip: the node started to leave, and has not been NORMAL since. */
    private boolean leaving;

    /** Another allocation took over the ranges. */
    private boolean replaced;

    public SimNode(World world, Allocation allocation) {
        this.world = world;
        this.allocation = allocation;
        this.hostId = "host-" + world.nextHost();
        this.createdMillis = world.nowMillis();
        this.allocationSince = world.now();
        this.allocationRevision = world.pool(datacenter()).nextRevision();
        this.executor = new SimExecutor(world, this);
        this.daemon = new SimDaemon(world, this);
    }

    public Allocation allocation() {
        return allocation;
    }

    public NodeId id() {
        return allocation.node();
    }

    public ClusterName cluster() {
        return id().cluster();
    }

    public DatacenterName datacenter() {
        return id().datacenter();
    }

    /** The name of the allocation, which no other allocation has. */
    public String name() {
        return allocation.id().value();
    }

    public String hostId() {
        return hostId;
    }

    String endpoint() {
        return Endpoints.endpoint(address(), allocation.ports().storage());
    }

    public String address() {
        return world.address(allocation);
    }

    long createdMillis() {
        return createdMillis;
    }

    public SimDaemon daemon() {
        return daemon;
    }

    public SimExecutor executor() {
        return executor;
    }

    public OperatingMode mode() {
        return daemon.mode();
    }

    /** The same allocation with other resources. */
    public void resize(Allocation wanted) {
        allocation = wanted;
        allocationRevision = world.pool(datacenter()).nextRevision();
    }

    public AllocationState state() {
        return AllocationState.of(allocation, allocationStatus, allocationSince, allocationRevision)
                .at(address())
                .withDetail(allocationDetail)
                .withProblem(allocationProblem);
    }

    public AllocationState.Status allocationStatus() {
        return allocationStatus;
    }

    public boolean isReleased() {
        return allocationStatus == AllocationState.Status.RELEASED;
    }

    public void allocationBecomes(AllocationState.Status status, @Nullable String detail) {
        allocationBecomes(status, detail, null);
    }

    /** The pool could not carry out the last command. */
    public void allocationFailed(Problem problem) {
        allocationBecomes(AllocationState.Status.FAILED, null, problem);
    }

    private void allocationBecomes(AllocationState.Status status, @Nullable String detail, @Nullable Problem problem) {
        allocationStatus = status;
        allocationDetail = detail;
        allocationProblem = problem;
        allocationSince = world.now();
        allocationRevision = world.pool(datacenter()).nextRevision();
    }

    public boolean machineUp() {
        return world.isUp(allocation);
    }

    /** The generation of the last launch that did not fail. */
    public long launchedGeneration() {
        return launchedGeneration;
    }

    /** The pool starts the executor. */
    public void launched(long generation) {
        launchedGeneration = generation;
        allocationBecomes(AllocationState.Status.RUNNING, null);
        executor.launched();
    }

    /** The executor ends while the daemon keeps running. */
    public void executorExited() {
        if (allocationStatus == AllocationState.Status.RUNNING) {
            executor.end();
            allocationBecomes(AllocationState.Status.EXITED, "the executor ended");
            world.servers(datacenter()).executorExited(this);
        }
    }

    /**
     * Executor and daemon end.
     *
     * @param planned the pool was commanded to end them; otherwise the machine failed
     */
    public void die(boolean planned) {
        daemon.serviceEnds(planned);
        executor.killed();
        daemon.machineEnds();
    }

    public NodeStatus status() {
        return executor.status();
    }

    /** Does the node own ranges of the ring? */
    public boolean isMember() {
        return joined && !left && !replaced;
    }

    public boolean repairs() {
        return daemon.isUp() && executor.runs(NodeTask.Kind.REPAIR);
    }

    public boolean joined() {
        return joined;
    }

    void becameMember() {
        joined = true;
        leaving = false;
    }

    boolean leaving() {
        return leaving;
    }

    void startedToLeave() {
        leaving = true;
    }

    boolean left() {
        return left;
    }

    void markLeft() {
        left = true;
    }

    public boolean replaced() {
        return replaced;
    }

    void markReplaced() {
        replaced = true;
    }

    @Nullable
    Instant repairedAt() {
        return repairedAt;
    }

    void repaired() {
        repairedAt = world.now();
    }

    public boolean hasRows(String keyspace) {
        return rows.contains(keyspace);
    }

    /** The name of one keyspace whose rows are on the volume. */
    public Optional<String> anyRows() {
        return rows.stream().findFirst();
    }

    public void addRows(String keyspace) {
        rows.add(keyspace);
    }

    void dropRows(String keyspace) {
        rows.remove(keyspace);
    }

    /** What the server of the datacenter answers, or what it answered last if no server leads. */
    Optional<SeedAnswer> askSeeds() {
        world.servers(datacenter()).seeds(id()).ifPresent(answer -> lastSeeds = answer);
        return Optional.ofNullable(lastSeeds);
    }
}
