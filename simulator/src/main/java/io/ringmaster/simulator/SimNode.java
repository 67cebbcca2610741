package io.ringmaster.simulator;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.spec.LiveParameters;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One allocation with its volume, its executor and its Cassandra daemon. The executor is played as node/executor does it: it makes
 * its target true, refuses older ones, restarts a dead daemon with back-off, and dies without taking the daemon along.
 */
final class SimNode {
    /** A parameter that no daemon starts with: a bad configuration. */
    static final String REJECTED_PARAMETER = "sim_rejected";

    /** A parameter that a running daemon takes, unless it is not positive; with such a one no daemon starts either. */
    static final String LIVE_PARAMETER = "concurrent_compactors";

    /** Why a daemon that holds data is not NORMAL. */
    enum Down {
        NO,
        /** It was stopped because a plan said so. */
        PLAN,
        FAULT
    }

    final World world;
    final String hostId;
    Allocation allocation;
    AllocationState.Status claim = AllocationState.Status.RESERVED;
    Instant claimSince;
    boolean executorUp;

    @Nullable
    NodeTarget target;

    /** On the volume: it was NORMAL once. */
    boolean joined;

    /** On the volume: when its ranges were repaired last. */
    @Nullable
    Instant repairedAt;

    /** On the volume: keyspaces of which it has its part of the rows. */
    final Set<String> rows = new TreeSet<>();

    /** In gossip: it has begun to leave, and was not NORMAL since. */
    boolean leaving;

    /** On the volume: it left the ring, and Cassandra does not start on it again. */
    boolean left;

    /** Another node has taken over its ranges. */
    boolean replaced;

    @Nullable
    SeedAnswer lastSeeds;

    OperatingMode mode = OperatingMode.DOWN;
    String activity = "preparing";
    Down down = Down.NO;
    long downMillis;
    long changedMillis;
    final long bornMillis;
    private Instant since;
    private long appliedSpecVersion;
    private long appliedRestarts;
    private List<Object> appliedConfiguration = List.of();
    private Map<String, Object> appliedYaml = Map.of();
    private long refusedGeneration;
    private int exits;
    private long restAfterMillis;
    private @Nullable Problem problem;
    private final NodeWork work = new NodeWork(this);
    private long life;

    SimNode(World world, Allocation allocation) {
        this.world = world;
        this.allocation = allocation;
        this.hostId = "host-" + world.nextHost();
        this.bornMillis = world.timeline.nowMillis();
        this.since = world.timeline.now();
        this.claimSince = world.timeline.now();
    }

    AllocationState state() {
        return new AllocationState(allocation, claim, claimSince, null, null);
    }

    void claim(AllocationState.Status status) {
        claim = status;
        claimSince = world.timeline.now();
    }

    boolean daemonUp() {
        return mode != OperatingMode.DOWN;
    }

    boolean machineUp() {
        return world.machineUp(allocation);
    }

    String name() {
        return allocation.id().value();
    }

    /** @return whether the target was taken or is the one already there */
    boolean take(NodeTarget newer) {
        NodeTarget had = target;
        if (had != null && newer.generation() < had.generation()) {
            return false;
        }
        if (had == null || newer.generation() > had.generation()) {
            target = newer;
            problem = null;
            exits = 0;
            restAfterMillis = 0;
        }
        advance();
        return true;
    }

    /** The executor's loop: compares target and daemon and does the next thing. */
    void advance() {
        NodeTarget wanted = target;
        if (!executorUp || !machineUp() || wanted == null || mode == OperatingMode.DRAINING) {
            return;
        }
        if (!daemonUp()) {
            long rest = restAfterMillis - world.timeline.nowMillis();
            if (rest > 0) {
                later(rest, this::advance);
            } else if (wanted.run()) {
                start(wanted);
            }
        } else if (!wanted.run() || wanted.restarts() > appliedRestarts || needsRestart(wanted)) {
            stopForPlan("stopping for generation " + wanted.generation());
        } else if (!configuration(wanted).equals(appliedConfiguration)) {
            if (mode == OperatingMode.NORMAL && refusedGeneration != wanted.generation()) {
                later(world.chance.between(20, 900), this::setLive);
            }
        } else {
            appliedSpecVersion = wanted.specVersion();
            work.follow(wanted.task());
        }
    }

    private boolean needsRestart(NodeTarget wanted) {
        NodeTarget asItIs =
                wanted.withCassandraYaml(LiveParameters.with(wanted.cassandraYaml(), LiveParameters.of(appliedYaml)));
        return !configuration(asItIs).equals(appliedConfiguration)
                || LiveParameters.changed(LiveParameters.of(appliedYaml), LiveParameters.of(wanted.cassandraYaml()))
                        .stream()
                        .anyMatch(n ->
                                !LiveParameters.takes(n, !wanted.cassandraYaml().containsKey(n)));
    }

    /** What is wanted by now: another target may have come. */
    private void setLive() {
        NodeTarget wanted = target;
        if (wanted == null || !executorUp || !machineUp() || needsRestart(wanted)) {
            return;
        }
        if (isRefused(wanted)) {
            refusedGeneration = wanted.generation();
            problem = Problem.of(ErrorCode.CONFIGURATION_REJECTED, LIVE_PARAMETER + " is refused live");
        } else {
            appliedYaml = wanted.cassandraYaml();
            appliedConfiguration = configuration(wanted);
        }
        advance();
    }

    private static boolean isRefused(NodeTarget wanted) {
        return wanted.cassandraYaml().get(LIVE_PARAMETER) instanceof Integer number && number < 1;
    }

    /** It owns ranges. */
    boolean isMember() {
        return joined && !left && !replaced;
    }

    boolean gossips() {
        return mode == OperatingMode.NORMAL || mode == OperatingMode.JOINING || mode == OperatingMode.LEAVING;
    }

    boolean repairs() {
        return daemonUp() && work.isAt(NodeTask.Kind.REPAIR);
    }

    private void start(NodeTarget wanted) {
        appliedSpecVersion = wanted.specVersion();
        appliedRestarts = wanted.restarts();
        appliedConfiguration = configuration(wanted);
        appliedYaml = wanted.cassandraYaml();
        mode(OperatingMode.STARTING, "reading system tables");
        long slow = world.faultsOn(Fault.SLOW_START) && world.chance.one(0.1) ? 10 : 1;
        later(world.chance.between(800, 2500) * slow, () -> started(wanted, slow));
    }

    private void started(NodeTarget wanted, long slow) {
        if (wanted.cassandraYaml().containsKey(REJECTED_PARAMETER) || isRefused(wanted)) {
            exit(Problem.of(ErrorCode.CONFIGURATION_REJECTED, "invalid yaml: " + wanted.cassandraYaml()));
        } else if (world.faultsOn(Fault.FAILED_START) && world.chance.one(0.15)) {
            exit(Problem.of(ErrorCode.DAEMON_FAILED, "exit 1 while starting"));
        } else if (left) {
            exit(Problem.of(ErrorCode.CONFIGURATION_REJECTED, "this node was decommissioned and will not rejoin"));
        } else if (joined) {
            world.invariants.returns(this);
            normal();
        } else {
            join(wanted, slow);
        }
    }

    private void join(NodeTarget wanted, long slow) {
        Optional<SeedAnswer> answer = world.askSeeds(this);
        if (answer.isEmpty()) {
            mode(OperatingMode.STARTING, "waits for the servers to name the seeds");
            later(1000, () -> join(wanted, slow));
            return;
        }
        boolean bootstrap = !wanted.firstCreation() && !answer.get().isSeed();
        world.invariants.joins(this, wanted, answer.get());
        if (bootstrap) {
            Optional<String> refused = world.ring.whyNoBootstrap(this, wanted.replaces());
            if (refused.isPresent()) {
                exit(Problem.of(ErrorCode.DAEMON_FAILED, refused.get()));
                return;
            }
        }
        mode(OperatingMode.JOINING, bootstrap ? "bootstrapping" : "joining an empty ring");
        later(
                (bootstrap ? world.chance.between(1500, 5000) : world.chance.between(200, 900)) * slow,
                () -> comesIn(bootstrap));
    }

    private void comesIn(boolean bootstrapped) {
        world.takesOver(this);
        if (bootstrapped) {
            world.keyspaces.stream(this);
        } else {
            world.keyspaces.begins(this);
        }
        normal();
    }

    private void normal() {
        joined = true;
        leaving = false;
        down = Down.NO;
        problem = null;
        mode(OperatingMode.NORMAL, "serving");
        advance();
        world.ring.joined(this);
    }

    private void stopForPlan(String why) {
        if (mode == OperatingMode.NORMAL || mode == OperatingMode.LEAVING) {
            goDown(Down.PLAN);
        }
        mode(OperatingMode.DRAINING, why);
        later(world.chance.between(200, 800), () -> {
            mode(OperatingMode.DOWN, "stopped");
            advance();
        });
    }

    private void exit(Problem why) {
        exits++;
        problem = why;
        boolean forGood = why.code() == ErrorCode.CONFIGURATION_REJECTED;
        restAfterMillis =
                world.timeline.nowMillis() + (forGood ? 60_000 : Math.min(30_000, 500L << Math.min(6, exits)));
        mode(OperatingMode.DOWN, "ended by itself: " + why.message());
        advance();
    }

    /** The daemon dies by a fault. */
    void crashDaemon() {
        if (daemonUp()) {
            if (down == Down.NO && isMember()) {
                goDown(Down.FAULT);
            }
            exit(Problem.of(ErrorCode.DAEMON_FAILED, "killed by signal 9"));
        }
    }

    /** Everything here dies: the machine went away, or the pool was told to kill. */
    void die(boolean byPlan) {
        if (mode == OperatingMode.NORMAL || mode == OperatingMode.LEAVING) {
            goDown(byPlan ? Down.PLAN : Down.FAULT);
        }
        executorUp = false;
        problem = null;
        mode(OperatingMode.DOWN, "ended with its machine or executor");
    }

    private void goDown(Down why) {
        down = why;
        downMillis = world.timeline.nowMillis();
        if (why == Down.PLAN) {
            world.invariants.takenDown(this);
        }
    }

    /** The executor runs with the target that is on its volume; else with its first one. */
    void launched(NodeTarget first) {
        executorUp = true;
        claim(AllocationState.Status.RUNNING);
        if (target == null) {
            take(first);
        } else {
            advance();
        }
    }

    NodeStatus status() {
        NodeTarget wanted = target;
        return new NodeStatus(
                allocation.node(),
                wanted == null ? 0 : wanted.generation(),
                appliedSpecVersion,
                appliedRestarts,
                mode,
                activity,
                since,
                joined ? Map.of(Stage.JOINED, Instant.EPOCH) : Map.of(),
                1,
                daemonUp() ? 2L : null,
                exits,
                problem,
                gossips() ? world.ring.seenBy(this) : null,
                work.told(wanted == null ? null : wanted.task()),
                Map.of());
    }

    /** What of a target makes a daemon be started anew. */
    static List<Object> configuration(NodeTarget target) {
        return List.of(
                target.cassandraVersion(), target.preset(), target.resources(), target.jvm(), target.cassandraYaml());
    }

    List<Object> runningConfiguration() {
        return appliedConfiguration;
    }

    void mode(OperatingMode next, String doing) {
        if (next != mode) {
            world.trace.add(allocation.node().datacenter().value(), name() + " " + next + ": " + doing);
            changedMillis = world.timeline.nowMillis();
        }
        if (next != OperatingMode.NORMAL && next != OperatingMode.LEAVING) {
            work.interrupted();
        }
        mode = next;
        activity = doing;
        since = world.timeline.now();
        life++;
    }

    /** Does something later unless the daemon or its rest ended meanwhile. */
    void later(long millis, Runnable action) {
        long now = life;
        world.timeline.in(millis, () -> {
            if (life == now) {
                action.run();
            }
        });
    }
}
