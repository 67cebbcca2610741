package io.ringmaster.simulator.world;

import io.ringmaster.core.seeds.SeedAnswer;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.simulator.fault.Fault;
import io.ringmaster.simulator.mutation.Mutation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The Cassandra daemon of a node: start, bootstrap, service, drain and death. */
public final class SimDaemon {
    /** A parameter of cassandra.yaml that prevents every start: a bad configuration. */
    public static final String REJECTED_PARAMETER = "sim_rejected";

    /** A parameter that a running daemon takes if the value is positive; any other value also prevents a start. */
    public static final String LIVE_PARAMETER = "concurrent_compactors";

    /** Why a daemon that holds data is not NORMAL. */
    public enum Outage {
        NONE,
        PLANNED,
        FAULT
    }

    private static final String BOOTSTRAP_FAILS = "its bootstrap fails";
    private static final int NOTICE_FAILED_JOIN_MILLIS = 400;
    /** How long its executor waits for a drain, and then for the end of the process, before it kills that. */
    private static final int KILL_AFTER_MILLIS = 90_000;

    private static final int SEEDS_RETRY_MILLIS = 1000;
    /** For how long the seed provider asks. */
    private static final int ASK_SEEDS_MILLIS = 60_000;

    /** For how long Cassandra looks for a ring. */
    private static final int FIND_RING_MILLIS = 30_000;

    private final World world;
    private final SimNode node;
    private final Bootstrap streams;
    private OperatingMode mode = OperatingMode.DOWN;
    private String activity = "preparing";
    private Instant since;
    private long modeChangedMillis;
    private Outage outage = Outage.NONE;
    private long outageMillis;
    private boolean bootstraps;
    private boolean diskFull;
    /** Its process is stopped by a signal: it exists, and does and answers nothing. */
    private boolean suspended;

    private final List<Runnable> overdue = new ArrayList<>();
    /** Counts mode changes: an action that was scheduled before the last one is void. */
    private long life;

    SimDaemon(World world, SimNode node) {
        this.world = world;
        this.node = node;
        this.streams = new Bootstrap(world, node);
        this.since = node.now();
    }

    public OperatingMode mode() {
        return mode;
    }

    String activity() {
        return activity;
    }

    Instant since() {
        return since;
    }

    long modeChangedMillis() {
        return modeChangedMillis;
    }

    public boolean isUp() {
        return mode != OperatingMode.DOWN;
    }

    boolean gossips() {
        return !suspended && (serves() || joins());
    }

    /** Whether it takes part in the ring as a newcomer, which it does until it ends if its bootstrap failed. */
    boolean joins() {
        return mode == OperatingMode.JOINING || mode == OperatingMode.JOINING_FAILED;
    }

    boolean isJoining() {
        return mode == OperatingMode.JOINING;
    }

    public boolean isSuspended() {
        return suspended;
    }

    boolean maySuspend() {
        return !suspended && (mode == OperatingMode.STARTING || mode == OperatingMode.NORMAL);
    }

    /** Whether it answers as a member. */
    private boolean serves() {
        return mode == OperatingMode.NORMAL
                || mode == OperatingMode.LEAVING
                || mode == OperatingMode.DECOMMISSION_FAILED;
    }

    /** Whether it streams its ranges when it joins. */
    boolean bootstraps() {
        return bootstraps;
    }

    public Outage outage() {
        return outage;
    }

    /** When the last outage started, in milliseconds of virtual time. */
    public long outageMillis() {
        return outageMillis;
    }

    static boolean isRefused(NodeTarget wanted) {
        return wanted.cassandraYaml().get(LIVE_PARAMETER) instanceof Integer number && number < 1;
    }

    void start(NodeTarget wanted) {
        mode(OperatingMode.STARTING, "reading system tables");
        long slow = world.has(Fault.SLOW_START) && world.random().chance(0.1) ? 10 : 1;
        later(world.random().between(800, 2500) * slow, () -> started(wanted, slow));
    }

    private void started(NodeTarget wanted, long slow) {
        if (wanted.cassandraYaml().containsKey(REJECTED_PARAMETER) || isRefused(wanted)) {
            exit(Problem.of(ErrorCode.CONFIGURATION_REJECTED, "invalid yaml: " + wanted.cassandraYaml()));
        } else if (world.has(Fault.FAILED_START) && world.random().chance(0.15)) {
            exit(Problem.of(ErrorCode.DAEMON_FAILED, "exit 1 while starting"));
        } else if (diskFull) {
            exit(Problem.of(ErrorCode.DISK_FULL, "no space is left on the disk"));
        } else if (node.left()) {
            exit(Problem.of(ErrorCode.CONFIGURATION_REJECTED, "this node was decommissioned and will not rejoin"));
        } else {
            askSeeds(wanted, slow, world.nowMillis() + ASK_SEEDS_MILLIS);
        }
    }

    private void askSeeds(NodeTarget wanted, long slow, long untilMillis) {
        boolean late = world.nowMillis() > untilMillis;
        Optional<SeedAnswer> answer = node.askSeeds(late);
        if (answer.isEmpty() && late) {
            exit(Problem.of(ErrorCode.SEEDS_UNKNOWN, "no server gave " + node.name() + " its seeds"));
        } else if (answer.isEmpty()) {
            mode(OperatingMode.STARTING, "waits for a server to answer with the seeds");
            later(SEEDS_RETRY_MILLIS, () -> askSeeds(wanted, slow, untilMillis));
        } else {
            node.acquaintances().startWith(answer.get());
            findRing(wanted, answer.get(), slow, world.nowMillis() + FIND_RING_MILLIS);
        }
    }

    /** A seed serves alone if it finds nobody. Any other node gives up then. */
    private void findRing(NodeTarget wanted, SeedAnswer answer, long slow, long untilMillis) {
        Optional<SimNode> contact = world.gossip().contact(node);
        if (contact.isPresent() || answer.isSeed()) {
            if (node.joined()) {
                world.listener().returning(node);
                serve();
            } else {
                join(wanted, answer, contact, slow);
            }
        } else if (world.nowMillis() >= untilMillis) {
            exit(Problem.of(ErrorCode.DAEMON_FAILED, "unable to gossip with any peers"));
        } else {
            later(SEEDS_RETRY_MILLIS, () -> findRing(wanted, answer, slow, untilMillis));
        }
    }

    private void join(NodeTarget wanted, SeedAnswer answer, Optional<SimNode> contact, long slow) {
        boolean bootstrap =
                !wanted.firstCreation() && !answer.isSeed() && world.planted() != Mutation.CREATED_FORGOTTEN;
        world.listener().joining(node, wanted, answer);
        if (bootstrap) {
            Optional<String> refused = world.ring().whyNoBootstrap(node, contact.orElseThrow(), wanted.replaces());
            if (refused.isPresent()) {
                exit(Problem.of(ErrorCode.DAEMON_FAILED, refused.get()));
                return;
            }
        }
        bootstraps = bootstrap;
        world.ledgers().joining(node, wanted);
        mode(OperatingMode.JOINING, bootstrap ? "bootstrapping" : "joining an empty ring");
        int joinMillis =
                bootstrap ? world.random().between(1500, 5000) : world.random().between(200, 900);
        if (bootstrap) {
            streams.start(joinMillis * slow, new AfterBootstrap());
        } else {
            later(joinMillis * slow, () -> joined(false));
        }
    }

    private final class AfterBootstrap implements Bootstrap.End {
        @Override
        public void joined() {
            SimDaemon.this.joined(true);
        }

        /** Below the seeds in which it stays up, the daemon exits, and starts again. */
        @Override
        public void failed() {
            if (world.keepsFailedJoins()) {
                mode(OperatingMode.JOINING_FAILED, BOOTSTRAP_FAILS);
                later(NOTICE_FAILED_JOIN_MILLIS, () -> node.executor().advance());
            } else {
                exit(Problem.of(ErrorCode.DAEMON_FAILED, BOOTSTRAP_FAILS));
            }
        }
    }

    private void joined(boolean bootstrapped) {
        world.takesOver(node);
        if (bootstrapped) {
            world.keyspaces().stream(node);
        } else {
            world.keyspaces().startEmpty(node);
        }
        serve();
    }

    private void serve() {
        node.becameMember();
        outage = Outage.NONE;
        node.executor().daemonServes();
        mode(OperatingMode.NORMAL, "serving");
        if (node.executor().isOpen()) {
            world.listener().opened(node);
        }
        node.executor().advance();
        world.ring().joined(node);
        world.ledgers().deliverHints(node.cluster());
    }

    /** Drains and stops, as the target demands. */
    void stop(String why) {
        serviceEnds(true);
        mode(OperatingMode.DRAINING, why);
        later(world.random().between(200, 800), this::stopped);
        if (suspended) {
            long now = life;
            world.clock().after(KILL_AFTER_MILLIS, () -> {
                if (life == now) {
                    stopped();
                }
            });
        }
    }

    private void stopped() {
        mode(OperatingMode.DOWN, "stopped");
        node.executor().advance();
    }

    /** Its executor ends it after a failed bootstrap, which counts as an exit. */
    void endFailedJoin() {
        node.executor().daemonExited(Problem.of(ErrorCode.DAEMON_FAILED, BOOTSTRAP_FAILS));
        stop("stopping: " + BOOTSTRAP_FAILS);
    }

    /** A signal stops the process, if it serves or starts. What it should do meanwhile, it does when it goes on. */
    void suspend() {
        node.executor().daemonFallsSilent();
        suspended = true;
        if (serves() && outage == Outage.NONE) {
            goesDown(Outage.FAULT);
        }
    }

    /** The process goes on, if it stands still. */
    void resume() {
        if (!suspended) {
            return;
        }
        suspended = false;
        modeChangedMillis = world.nowMillis(); // the others notice it as they notice a start
        if (serves() && outage == Outage.FAULT) {
            world.listener().returning(node);
            outage = Outage.NONE;
        }
        List<Runnable> late = List.copyOf(overdue);
        overdue.clear();
        late.forEach(Runnable::run);
        world.gossip().spread(node.cluster());
        node.executor().advance();
        world.ledgers().deliverHints(node.cluster());
    }

    void leave() {
        mode(OperatingMode.LEAVING, "leaving the ring");
    }

    /** The other nodes still expect the node to leave, and it serves on. */
    void failsToLeave() {
        mode(OperatingMode.DECOMMISSION_FAILED, "failed to leave");
    }

    void decommissioned() {
        node.markLeft();
        mode(OperatingMode.DECOMMISSIONED, "left the ring");
    }

    private void exit(Problem why) {
        node.executor().daemonExited(why);
        mode(OperatingMode.DOWN, "exited: " + why.message());
        node.executor().advance();
    }

    /** A fault kills the daemon. */
    public void crash() {
        if (isUp()) {
            if (outage == Outage.NONE && node.isMember()) {
                goesDown(Outage.FAULT);
            }
            exit(Problem.of(ErrorCode.DAEMON_FAILED, "killed by signal 9"));
        }
    }

    /** While its disk is full the daemon does not run; its executor starts it again and again. */
    void diskFull(boolean full) {
        diskFull = full;
        if (full) {
            crash();
        }
    }

    void machineEnds() {
        mode(OperatingMode.DOWN, "ended with its machine or executor");
    }

    /** The daemon stops serving, if it serves. One that stands still has stopped before. */
    void serviceEnds(boolean planned) {
        if (serves() && !suspended) {
            goesDown(planned ? Outage.PLANNED : Outage.FAULT);
        }
    }

    private void goesDown(Outage why) {
        outage = why;
        outageMillis = world.nowMillis();
        if (why == Outage.PLANNED) {
            world.listener().takenDown(node);
        }
    }

    private void mode(OperatingMode next, String doing) {
        if (next != mode) {
            world.trace().add(node.datacenter().value(), node.name() + " " + next + ": " + doing);
            modeChangedMillis = world.nowMillis();
        }
        boolean gossiped = gossips();
        mode = next;
        if (next == OperatingMode.DOWN) {
            suspended = false;
            overdue.clear();
        }
        if (!serves()) {
            node.executor().daemonStopsServing();
        }
        activity = doing;
        since = node.now();
        life++;
        if (!gossiped && gossips()) {
            world.gossip().spread(node.cluster());
        }
    }

    /** Runs the action after this time, unless the mode changes before. */
    void later(long millis, Runnable action) {
        long now = life;
        world.clock().after(millis, () -> unlessChanged(now, action));
    }

    private void unlessChanged(long then, Runnable action) {
        if (life == then && suspended) {
            overdue.add(() -> unlessChanged(then, action));
        } else if (life == then) {
            action.run();
        }
    }
}
