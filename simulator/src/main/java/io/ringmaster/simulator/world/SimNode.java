package io.ringmaster.simulator.world;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.simulator.ledger.Replica;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One allocation with its volume, its executor and its Cassandra daemon. */
public final class SimNode {
    private final World world;
    private final String hostId;
    private final long createdMillis;
    private final SimAllocation place;
    private final SimDaemon daemon;
    private final SimExecutor executor;
    private final Acquaintances acquaintances = new Acquaintances();

    /** On the volume: the last answer with which a daemon can start. */
    private @Nullable SeedAnswer lastSeeds;

    private @Nullable String lastSeedsAt;

    /** On the volume: the node was NORMAL once. */
    private boolean joined;

    /** On the volume: the node left the ring, and Cassandra refuses to start on it again. */
    private boolean left;

    /** On the volume: the time of the last repair of its ranges. */
    private @Nullable Instant repairedAt;

    /** How far its clock is before the right time. */
    private Duration clockAhead = Duration.ZERO;

    /** On the volume: the keyspaces whose rows are complete here. */
    private final Set<String> rows = new TreeSet<>();

    private final Replica replica;
    private final SimIdentity identity;

    /** In gossip: the node started to leave, and has not been NORMAL since. */
    private boolean leaving;

    /** Another allocation took over the ranges. */
    private boolean replaced;

    public SimNode(World world, Allocation allocation) {
        this.world = world;
        this.hostId = "host-" + world.nextHost();
        this.createdMillis = world.nowMillis();
        this.place = new SimAllocation(world, allocation);
        this.replica = new Replica(allocation.id().value(), allocation.node().datacenter());
        this.identity = new SimIdentity(world, this);
        this.executor = new SimExecutor(world, this);
        this.daemon = new SimDaemon(world, this);
    }

    /** The allocation as the pool knows it. */
    public SimAllocation place() {
        return place;
    }

    public Allocation allocation() {
        return place.allocation();
    }

    public NodeId id() {
        return allocation().node();
    }

    public ClusterName cluster() {
        return id().cluster();
    }

    public DatacenterName datacenter() {
        return id().datacenter();
    }

    /** The name of the allocation, which no other allocation has. */
    public String name() {
        return allocation().id().value();
    }

    public String hostId() {
        return hostId;
    }

    /** Where its daemon listens; null before its first start, if each start has an address of its own. */
    @Nullable
    String endpoint() {
        return place.endpoint();
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

    public SimIdentity identity() {
        return identity;
    }

    /** Its place in the ring and the rows of its volume. */
    Replica replica() {
        return replica;
    }

    /** The other nodes that it knows. */
    Acquaintances acquaintances() {
        return acquaintances;
    }

    public OperatingMode mode() {
        return daemon.mode();
    }

    public boolean isReleased() {
        return place.status() == Status.RELEASED;
    }

    public boolean machineUp() {
        return world.park(datacenter()).isUp(allocation().machine());
    }

    /** The pool starts the executor. */
    public void launched() {
        place.launched();
        executor.launched(place.launchedGeneration());
    }

    /** The executor ends unasked. The daemon keeps running where it outlives its executor. */
    public void executorExited() {
        if (place.status() == Status.RUNNING) {
            if (world.pool(datacenter()).kind().capabilities().daemonOutlivesExecutor()) {
                executor.end();
            } else {
                die(false);
            }
            place.becomes(Status.EXITED, "the executor ended");
            world.servers(datacenter()).allocationChanged(this);
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

    /** Whether it repairs ranges that moved, or were streamed again: only that includes the roles. */
    public boolean repairsMovedRanges() {
        return executor.target()
                .map(NodeTarget::task)
                .filter(t -> t.kind() == NodeTask.Kind.REPAIR && t.args().containsKey(RunTask.SYSTEM_AUTH))
                .isPresent();
    }

    /** Whether it runs a repair that its plan does not want any more, which only its own datacenter knows. */
    public boolean endsRepair() {
        return executor.isEndingTask();
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

    public boolean left() {
        return left;
    }

    void markLeft() {
        left = true;
        world.formerEndpoints().left(this);
    }

    public boolean replaced() {
        return replaced;
    }

    void markReplaced() {
        replaced = true;
    }

    /** The time that its clock shows. */
    Instant now() {
        return world.now().plus(clockAhead);
    }

    void clockIs(Duration ahead) {
        clockAhead = ahead;
    }

    void clockIsRight() {
        clockAhead = Duration.ZERO;
    }

    /** Null if the time is from the future, which proves nothing. */
    @Nullable
    Instant repairedAt() {
        return repairedAt == null || repairedAt.isAfter(now()) ? null : repairedAt;
    }

    void repaired() {
        repairedAt = now();
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

    /**
     * The seeds with which the daemon can start: what the server of the datacenter answers, or for a member what it
     * answered last, if no server leads or the server knows no seeds yet. At another endpoint that counts only late,
     * and does not make the node a seed.
     */
    Optional<SeedAnswer> askSeeds(boolean late) {
        Optional<SeedAnswer> answer = world.servers(datacenter()).seeds(id()).filter(SeedAnswer::usable);
        answer.ifPresent(a -> {
            lastSeeds = a;
            lastSeedsAt = endpoint();
        });
        return answer.isPresent() || !joined ? answer : kept(late);
    }

    private Optional<SeedAnswer> kept(boolean late) {
        boolean isHere = Objects.equals(lastSeedsAt, endpoint());
        return Optional.ofNullable(lastSeeds)
                .filter(a -> isHere || late)
                .map(a -> new SeedAnswer(a.isSeed() && isHere, a.seeds()))
                .filter(SeedAnswer::usable);
    }
}
