package io.ringmaster.simulator.world;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeStatusBuilder;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.spec.LiveParameters;
import io.ringmaster.simulator.mutation.Mutation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The executor of a node, with the rules of node/executor: it drives the daemon to the target, refuses older targets,
 * restarts a dead daemon with back-off, and ends without ending the daemon.
 */
public final class SimExecutor {
    private static final int REJECTED_BACKOFF_MILLIS = 60_000;
    private static final int MAX_BACKOFF_MILLIS = 30_000;
    private static final String SILENT = "its companion does not answer";

    private final World world;
    private final SimNode node;
    private final TaskRunner tasks;
    private final TransferRunner transfers;
    private final FailedStarts failedStarts = new FailedStarts();
    private boolean up;
    /** On the volume, so it survives the executor. */
    private @Nullable NodeTarget target;

    /** The generation that the node had when this executor was launched. A target of an older one is out of date. */
    private long launchGeneration;

    private long appliedSpecVersion;
    private long appliedRestarts;
    private List<Object> appliedConfiguration = List.of();
    private Map<String, Object> appliedYaml = Map.of();
    /** Whether the daemon was started closed to clients and has not been opened since. */
    private boolean awaitsClients;

    private long refusedGeneration;
    private int exits;
    private long backoffUntilMillis;
    private @Nullable Problem problem;

    /** What a daemon reported of its ring before it fell silent. */
    private @Nullable RingView lastRing;

    /** The versions of the spec that a daemon had, or was to take live, when it exited or refused a parameter. */
    private final Set<Long> failedVersions = new TreeSet<>();

    SimExecutor(World world, SimNode node) {
        this.world = world;
        this.node = node;
        this.tasks = new TaskRunner(world, node);
        this.transfers = new TransferRunner(world, node);
    }

    public boolean isUp() {
        return up;
    }

    /** Continues with the target on the volume, or waits for one if there is none or if it is out of date. */
    void launched(long generation) {
        up = true;
        launchGeneration = generation;
        failedStarts.passed();
        advance();
    }

    /** Whether it cannot start its daemon, for a reason of its own. */
    public boolean startsFail() {
        return failedStarts.isFailing();
    }

    void failStarts(boolean each) {
        failedStarts.fail(each);
    }

    void end() {
        up = false;
    }

    /** Ends together with the daemon. */
    void killed() {
        up = false;
        problem = null;
    }

    /** The target on the volume, unless it is out of date. */
    public Optional<NodeTarget> target() {
        return Optional.ofNullable(inForce());
    }

    private @Nullable NodeTarget inForce() {
        NodeTarget last = target;
        return last == null || last.generation() < launchGeneration ? null : last;
    }

    /** Takes the target unless its generation is older than that of the last target or of the launch. */
    public void take(NodeTarget newer) {
        NodeTarget before = target;
        if (newer.generation() < launchGeneration || (before != null && newer.generation() < before.generation())) {
            return;
        }
        if (before == null || newer.generation() > before.generation()) {
            problem = null;
            exits = 0;
            backoffUntilMillis = 0;
        } else if (newer.firstCreation() && !before.firstCreation()) {
            return;
        }
        if (before != null
                && before.wantedTls().internode() != newer.wantedTls().internode()) {
            world.listener().changesTls(node);
        }
        target = newer;
        advance();
    }

    /** Compares target and daemon and takes the next action. */
    void advance() {
        NodeTarget wanted = inForce();
        SimDaemon daemon = node.daemon();
        if (!up || !node.machineUp() || wanted == null) {
            return;
        }
        transfers.follow(wanted.transfer());
        if (daemon.mode() == OperatingMode.DRAINING) {
            return;
        }
        if (!daemon.isUp()) {
            long backoffMillis = backoffUntilMillis - world.nowMillis();
            if (backoffMillis > 0) {
                daemon.later(backoffMillis, this::advance);
            } else if (wanted.run() && node.identity().obstacle(wanted).isEmpty()) {
                start(wanted);
            } else {
                startsPass();
            }
            return;
        }
        startsPass();
        if (runsWithoutBootstrap() && !wanted.firstCreation() && repeatsBootstrap()) {
            daemon.stop("starting again with bootstrap, because the cluster may hold data");
        } else if (!wanted.run() || wanted.restarts() > appliedRestarts || needsRestart(wanted)) {
            daemon.stop("stopping for generation " + wanted.generation());
        } else if (daemon.isSuspended()) {
            return; // it answers nothing, and goes on without help
        } else if (daemon.mode() == OperatingMode.JOINING_FAILED && world.planted() != Mutation.FAILED_JOIN_AWAITED) {
            daemon.endFailedJoin();
        } else if (!configuration(wanted).equals(appliedConfiguration)) {
            if (daemon.mode() == OperatingMode.NORMAL && refusedGeneration != wanted.generation()) {
                daemon.later(world.random().between(20, 900), this::setLive);
            }
        } else {
            appliedSpecVersion = wanted.specVersion();
            open(wanted);
            tasks.follow(wanted.task());
        }
    }

    private void open(NodeTarget wanted) {
        boolean admitted = !wanted.firstCreation() || world.planted() == Mutation.CLIENTS_ADMITTED_EARLY;
        if (awaitsClients && admitted && node.daemon().mode() == OperatingMode.NORMAL) {
            awaitsClients = false;
            world.declarations().serves(node);
            world.listener().opened(node);
        }
    }

    /** Whether the daemon was started for a first creation and has not joined: it will join without a row. */
    public boolean runsWithoutBootstrap() {
        return awaitsClients && node.daemon().isUp() && !node.joined();
    }

    private boolean repeatsBootstrap() {
        return world.planted() != Mutation.BOOTSTRAP_NOT_REPEATED && world.planted() != Mutation.CLIENTS_ADMITTED_EARLY;
    }

    /** Whether clients can connect to the node. */
    public boolean isOpen() {
        return clientAccess() == ClientAccess.OPEN;
    }

    ClientAccess clientAccess() {
        if (awaitsClients) {
            return ClientAccess.AWAITS_CREATION;
        }
        return node.daemon().mode() == OperatingMode.NORMAL ? ClientAccess.OPEN : ClientAccess.CLOSED;
    }

    private void start(NodeTarget wanted) {
        if (failedStarts.isFailing()) {
            startFails(wanted);
            return;
        }
        startsPass();
        appliedSpecVersion = wanted.specVersion();
        appliedRestarts = wanted.restarts();
        appliedConfiguration = configuration(wanted);
        appliedYaml = wanted.cassandraYaml();
        awaitsClients = wanted.firstCreation();
        node.identity().started();
        node.daemon().start(wanted);
    }

    /** It tries again after a pause, as after an exit. */
    private void startFails(NodeTarget wanted) {
        Problem lasting = failedStarts.failed(world.nowMillis());
        if (lasting != null) {
            problem = lasting;
            failedVersions.add(wanted.specVersion());
            world.executorFailures().add(node.id());
        }
        backoffUntilMillis = world.nowMillis() + failedStarts.pauseMillis();
        node.daemon().later(failedStarts.pauseMillis(), this::advance);
    }

    private void startsPass() {
        failedStarts.passed();
        if (problem != null && problem.code() == ErrorCode.EXECUTOR_FAILED) {
            problem = null;
        }
    }

    private boolean needsRestart(NodeTarget wanted) {
        NodeTarget unchanged =
                wanted.withCassandraYaml(LiveParameters.with(wanted.cassandraYaml(), LiveParameters.of(appliedYaml)));
        return !configuration(unchanged).equals(appliedConfiguration)
                || LiveParameters.changed(LiveParameters.of(appliedYaml), LiveParameters.of(wanted.cassandraYaml()))
                        .stream()
                        .anyMatch(n ->
                                !LiveParameters.takes(n, !wanted.cassandraYaml().containsKey(n)));
    }

    /** Sets the live parameters of the newest target, which may have changed since this was scheduled. */
    private void setLive() {
        NodeTarget wanted = inForce();
        if (wanted == null || !up || !node.machineUp() || needsRestart(wanted)) {
            return;
        }
        if (SimDaemon.isRefused(wanted)) {
            refusedGeneration = wanted.generation();
            failedVersions.add(wanted.specVersion());
            problem = Problem.of(ErrorCode.CONFIGURATION_REJECTED, SimDaemon.LIVE_PARAMETER + " is refused live");
        } else {
            appliedYaml = wanted.cassandraYaml();
            appliedConfiguration = configuration(wanted);
        }
        advance();
    }

    /** Whether the daemon was started with roles. */
    boolean requiresLogin() {
        return appliedYaml.containsKey("role_manager");
    }

    void daemonServes() {
        problem = null;
        if (!awaitsClients) {
            world.declarations().serves(node);
        }
    }

    void daemonStopsServing() {
        tasks.interrupted();
    }

    void daemonExited(Problem why) {
        problem = why;
        if (why.code() == ErrorCode.SEEDS_UNKNOWN) {
            return; // it has waited, and its configuration is good
        }
        exits++;
        failedVersions.add(appliedSpecVersion);
        target().ifPresent(t -> failedVersions.add(t.specVersion()));
        boolean rejected = why.code() == ErrorCode.CONFIGURATION_REJECTED;
        backoffUntilMillis = world.nowMillis()
                + (rejected ? REJECTED_BACKOFF_MILLIS : Math.min(MAX_BACKOFF_MILLIS, 500L << Math.min(6, exits)));
    }

    /** Its companion answers nothing: what the executor knows of the ring stays as it is. */
    void daemonFallsSilent() {
        lastRing = seenRing();
    }

    private @Nullable RingView seenRing() {
        return node.daemon().gossips() ? world.ring().seenBy(node) : null;
    }

    /** Whether a daemon exited with this version of the spec, or refused a parameter of it. */
    public boolean hasFailedWith(long specVersion) {
        return failedVersions.contains(specVersion);
    }

    boolean runs(NodeTask.Kind kind) {
        return tasks.runs(kind);
    }

    boolean isEndingTask() {
        return tasks.isEnding();
    }

    NodeStatus status() {
        NodeTarget last = target;
        NodeTarget wanted = inForce();
        SimDaemon daemon = node.daemon();
        boolean silent = daemon.isSuspended() && daemon.mode() != OperatingMode.DRAINING;
        return NodeStatusBuilder.builder()
                .node(node.id())
                .generation(last == null ? 0 : last.generation())
                .appliedSpecVersion(appliedSpecVersion)
                .appliedRestarts(appliedRestarts)
                .mode(silent ? OperatingMode.UNKNOWN : daemon.mode())
                .activity(silent ? SILENT : daemon.activity())
                .since(daemon.since())
                .stages(node.joined() ? Map.of(Stage.JOINED, daemon.since()) : Map.of())
                .executorPid(1)
                .daemonPid(daemon.isUp() ? 2L : null)
                .exits(exits)
                .problem(silent ? problemOfSilence() : problem)
                .ring(silent ? lastRing : seenRing())
                .task(tasks.status(wanted == null ? null : wanted.task()))
                .tls(node.identity().status(wanted))
                .transfer(transfers.status(wanted == null ? null : wanted.transfer()))
                .build();
    }

    /** One slow answer is no failure, and a daemon that stands still is none of the executor. */
    private @Nullable Problem problemOfSilence() {
        return world.planted() == Mutation.SILENCE_IS_FAILURE
                ? Problem.of(ErrorCode.EXECUTOR_FAILED, "planted: " + SILENT)
                : problem;
    }

    /** The parts of a target that the daemon reads at its start. */
    private static List<Object> configuration(NodeTarget target) {
        return List.of(
                target.cassandraVersion(),
                target.preset(),
                target.resources(),
                target.jvm(),
                target.cassandraYaml(),
                target.wantedTls());
    }

    /** Version, preset, resources, JVM, cassandra.yaml and TLS that the daemon was started with. */
    public List<Object> appliedConfiguration() {
        return appliedConfiguration;
    }
}
