package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NoAnswerException;
import io.ringmaster.executor.companion.NodeAnswer;
import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Asked;
import io.ringmaster.executor.daemon.Backoff;
import io.ringmaster.executor.daemon.Daemon;
import io.ringmaster.executor.daemon.DaemonLeftovers;
import io.ringmaster.executor.daemon.DaemonStateFile;
import io.ringmaster.executor.daemon.ExitReport;
import io.ringmaster.executor.daemon.MemoryLock;
import io.ringmaster.executor.daemon.Preflight;
import io.ringmaster.executor.identity.CertificateReload;
import io.ringmaster.executor.identity.NodeIdentity;
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.settings.LiveChange;
import io.ringmaster.executor.settings.LiveSetter;
import io.ringmaster.executor.state.StatusBoard;
import io.ringmaster.executor.state.TargetStore;
import io.ringmaster.executor.task.TaskKeeper;
import io.ringmaster.executor.task.TransferKeeper;
import io.ringmaster.executor.task.TransferProgram;
import io.ringmaster.executor.volume.VolumeMeter;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.Stage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The executor's only loop: it compares target and daemon, performs the next action, reports and sleeps. A new target
 * and the end of the daemon wake it.
 */
public final class Supervisor implements Runnable {
    private static final Duration POLL_STARTING = Duration.ofMillis(400);
    private static final Duration POLL_TASK = Duration.ofMillis(200);
    private static final Duration POLL_STEADY = Duration.ofSeconds(1);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(3);

    /** How long a node that was ready stays so while nothing new is known of it: one slow answer ends no connection. */
    private static final Duration READY_UNANSWERED = Duration.ofSeconds(10);

    private final NodeFiles files;
    private final NodeAddress address;
    private final Installation installation;
    private final TargetStore targets;
    private final CompanionClient companion;
    private final TaskKeeper tasks;
    private final TransferKeeper transfers;
    private final Shutdown shutdown;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Backoff backoff = new Backoff();
    private final DaemonStateFile state;
    private final ClientGate clients;
    private final LiveUpdater live;
    private final StatusReporter reporter;
    private final NodeIdentity identity;
    private final CertificateReload certificates;
    private final VolumeMeter volume;
    private final NormalRun normal = new NormalRun();
    private final OwnFailures failures;
    private final FilesRelease release;

    private @Nullable Daemon daemon;
    private ExitReport exitReport;
    private long lastAnswer = System.nanoTime();
    /** Whether this turn only waits for the next start: it proves nothing about a failure before. */
    private boolean waitsToStart;

    private volatile boolean ending;

    /**
     * @param transfer the program for transfers, or null if it is not installed
     * @param stages the stages reached so far, if no daemon was started here yet
     * @param newest the generation that the node had when this executor was launched; 0 if it is not known
     */
    public Supervisor(
            NodeId node,
            NodeAddress address,
            NodeFiles files,
            Installation installation,
            @Nullable TransferProgram transfer,
            Map<Stage, Instant> stages,
            long newest)
            throws IOException {
        this.files = files;
        this.address = address;
        this.installation = installation;
        this.targets = new TargetStore(files, node, wakeUps::release, newest);
        this.companion = new CompanionClient(files.socket());
        this.tasks = new TaskKeeper(files, companion);
        this.transfers = new TransferKeeper(files, node, transfer, wakeUps::release);
        this.state = new DaemonStateFile(files, stages);
        this.exitReport = ExitReport.ofAdopted(files, state.current());
        this.clients = new ClientGate(companion, state);
        this.identity = new NodeIdentity(files, node, wakeUps::release);
        this.certificates = new CertificateReload(identity, companion);
        this.live = new LiveUpdater(address, files, installation, state, new LiveSetter(companion));
        Daemon adopted = Daemon.adopt(files).orElse(null);
        if (adopted != null) {
            adopted.onExit(wakeUps::release);
            certificates.daemonAdopted();
            Log.info("adopted the daemon " + adopted.pid());
        }
        this.daemon = adopted;
        this.release = new FilesRelease(adopted != null);
        this.volume = new VolumeMeter(files.volume());
        this.reporter = new StatusReporter(targets, state, tasks, transfers, live, identity, volume, adopted);
        this.failures = new OwnFailures(files, reporter);
        this.shutdown = new Shutdown(companion, this::shuttingDown);
    }

    public StatusBoard board() {
        return reporter.board();
    }

    public TargetStore targets() {
        return targets;
    }

    public NodeIdentity identity() {
        return identity;
    }

    public CompanionClient companion() {
        return companion;
    }

    /**
     * Ends the loop, after an ordered shutdown of the daemon. No target is followed any longer, and from this moment on
     * the node is not ready.
     */
    public void end() {
        ending = true;
        board().close();
        wakeUps.release();
    }

    @Override
    public void run() {
        volume.start();
        while (!Thread.currentThread().isInterrupted() && !ending) {
            board().pulse().beat();
            Duration pause;
            waitsToStart = false;
            try {
                pause = advance();
                if (!waitsToStart) {
                    failures.turnPassed();
                }
            } catch (NoAnswerException e) {
                pause = unanswered(e);
            } catch (IOException | RuntimeException e) {
                pause = failed(e);
            }
            sleep(pause);
        }
        if (ending) {
            endDaemon();
        }
    }

    /** What the companion does not do in time is a state of the daemon: it may be busy, hang or start. */
    private Duration unanswered(NoAnswerException e) {
        failures.turnPassed();
        if (e.hasAnswer()) {
            postUnanswered(OperatingMode.UNKNOWN, ThrowableText.of(e));
        } else if (state.current().stages().containsKey(Stage.DAEMON)) {
            postUnanswered(OperatingMode.UNKNOWN, "its companion does not answer: " + ThrowableText.of(e));
        } else {
            reporter.post(OperatingMode.LAUNCHED, "starting the JVM");
        }
        return POLL_STARTING;
    }

    private Duration failed(Exception e) {
        failures.turnFailed(e);
        if (daemon == null) {
            backoff.ended(Duration.ZERO);
        }
        postUnanswered(
                daemon == null ? OperatingMode.DOWN : OperatingMode.UNKNOWN,
                "waiting after a failure: " + ThrowableText.of(e));
        return POLL_STEADY;
    }

    private void postUnanswered(OperatingMode mode, String activity) {
        boolean lately = System.nanoTime() - lastAnswer < READY_UNANSWERED.toNanos();
        if (daemon != null && lately) {
            reporter.postUnanswered(mode, activity);
        } else {
            reporter.post(mode, activity);
        }
    }

    /** A shutdown is one turn, which may wait for the kernel without a limit. */
    private void shuttingDown(OperatingMode mode, String activity) {
        board().pulse().beat();
        reporter.post(mode, activity);
    }

    private void endDaemon() {
        Daemon running = daemon;
        try {
            if (running != null && running.isAlive()) {
                stop(running, "the container ends");
            }
            // where a container is ended after a decommission, nothing looks at the node again
            if (targets.current().filter(target -> tasks.hasLeft(target.task())).isPresent()) {
                identity.leave();
            }
            reporter.post(OperatingMode.DOWN, "ended with its container");
        } catch (IOException | RuntimeException e) {
            Log.error("cannot end the daemon in order", e);
        }
    }

    private void sleep(Duration pause) {
        try {
            if (wakeUps.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                wakeUps.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Performs one action and returns the pause until the next one, unless a wake-up comes first. */
    private Duration advance() throws IOException {
        Optional<NodeTarget> target = targets.current();
        return target.isPresent() ? follow(target.get()) : awaitTarget();
    }

    /** What the node should be is not known: a daemon that runs keeps running, and none is started. */
    private Duration awaitTarget() throws IOException {
        Daemon running = daemon;
        if (running == null) {
            reporter.post(
                    OperatingMode.DOWN,
                    targets.generation() == 0 ? "waits for its first target" : "waits for its newest target");
            return POLL_STEADY;
        }
        if (!running.isAlive()) {
            ended(running);
            return Duration.ZERO;
        }
        return observe(running);
    }

    private Duration follow(NodeTarget target) throws IOException {
        if (state.isLost()) {
            Configuration taken = Configurations.of(target, address, files, installation, true);
            state.recover(target, daemon == null ? null : taken.fingerprint());
        }
        // a server that moved sends the same generation with other URLs
        if (!target.seedProviderUrls().equals(reporter.seedServers())) {
            SeedServers.write(target, files);
            reporter.seedServersChanged(target.seedProviderUrls());
        }
        reporter.follows(target.wantedTls());
        if (target.generation() != reporter.generation()) {
            reporter.targetChanged(target.generation());
            live.targetChanged();
            clients.reset();
            backoff.reset();
            state.resetExits();
        }
        transfer(target);
        Daemon running = daemon;
        if (running == null) {
            return startWhenDue(target);
        }
        if (!running.isAlive()) {
            ended(running);
            return Duration.ZERO;
        }
        Drift drift = new Drift(target, address, state.current(), files, installation);
        Optional<String> reason = drift.stopReason(!live.isUnable());
        if (reason.isPresent()) {
            stop(running, reason.get());
            return Duration.ZERO;
        }
        Optional<LiveChange> change = drift.live();
        if (change.isPresent()) {
            boolean due = live.isDue() && reporter.mode() == OperatingMode.NORMAL;
            return due && live.apply(change.get(), target, running) ? Duration.ZERO : observe(running);
        }
        if (target.specVersion() != state.current().specVersion()) {
            state.write(state.current()
                    .satisfying(target.specVersion(), target.restarts())
                    .askedFor(new Asked(target, address)));
        } else if (state.current().asked() == null) {
            state.change(state.current().askedFor(new Asked(target, address)));
        }
        release.look(() -> new Drift(target, address, state.current(), files, installation));
        return observe(running);
    }

    /** A transfer needs no daemon, and the daemon must not depend on a transfer. */
    private void transfer(NodeTarget target) {
        try {
            transfers.advance(target.transfer(), target.preset());
            failures.transferPassed();
        } catch (IOException | RuntimeException e) {
            failures.transferFailed(e);
        }
    }

    private Duration startWhenDue(NodeTarget target) throws IOException {
        if (!target.run()) {
            reporter.setProblem(null);
            reporter.post(OperatingMode.DOWN, "stopped as asked");
            return POLL_STEADY;
        }
        if (tasks.hasLeft(target.task())) {
            identity.leave();
            reporter.setProblem(null);
            reporter.post(OperatingMode.DECOMMISSIONED, "left the ring");
            return POLL_STEADY;
        }
        if (target.requiresInternodeTls()) {
            Optional<String> uncertified = identity.obstacle(address, target.encryptsCql());
            if (uncertified.isPresent()) {
                reporter.post(OperatingMode.DOWN, uncertified.get());
                return POLL_STEADY;
            }
        }
        Duration wait = backoff.remaining();
        if (!wait.isZero()) {
            waitsToStart = true;
            reporter.post(OperatingMode.DOWN, "starting again in " + (wait.toSeconds() + 1) + " s");
            return wait.compareTo(POLL_STEADY) < 0 ? wait : POLL_STEADY;
        }
        files.create();
        DaemonLeftovers.remove(files);
        Optional<Problem> obstacle = Configurations.missing(target, installation)
                .or(() -> Preflight.problem(target, address, files, state.current()));
        if (obstacle.isPresent()) {
            reporter.setProblem(obstacle.get());
            Log.info("cannot start: " + obstacle.get().line());
            backoff.ended(Duration.ZERO);
            return Duration.ZERO;
        }
        start(target);
        return POLL_STARTING;
    }

    private void start(NodeTarget target) throws IOException {
        DaemonStart start = DaemonStart.prepare(target, address, files, installation, state);
        release.daemonStarted();
        live.daemonStarted();
        if (target.requiresInternodeTls()) {
            certificates.daemonStarted();
        }
        exitReport = new ExitReport(files, start.run());
        normal.ended();
        Daemon started = Daemon.start(start.configuration(), files, MemoryLock.prefix(target.preset()));
        started.onExit(wakeUps::release);
        daemon = started;
        reporter.daemonChanged(started);
        reporter.volumeRecovered();
        Log.info("started the daemon " + started.pid() + " with spec version " + target.specVersion());
        reporter.post(OperatingMode.LAUNCHED, "starting the JVM");
    }

    /** The end is counted and forgotten in memory before anything is written: a full disk must not count it again. */
    private void ended(Daemon dead) {
        OptionalInt exitCode = dead.exitCode();
        Problem cause = exitReport.problem(targets.node(), dead.pid(), exitCode);
        Log.info("the daemon " + dead.pid() + " ended: " + cause.line());
        reporter.setProblem(cause);
        boolean asksAgain = cause.code() == ErrorCode.SEEDS_UNKNOWN; // it has waited, and its configuration is good
        if (asksAgain) {
            backoff.reset();
        } else if (cause.code() == ErrorCode.CONFIGURATION_REJECTED || cause.code() == ErrorCode.VOLUME_OUTDATED) {
            backoff.endedForGood();
        } else {
            backoff.ended(normal.length());
        }
        if (!asksAgain) {
            state.change(state.current().withExits(state.current().exits() + 1));
        }
        forget();
        DaemonLeftovers.remove(files); // the dump of this end stays
        reporter.post(OperatingMode.DOWN, asksAgain ? "asks for its seeds again" : "ended unexpectedly");
        failures.save(state); // a failure is in the log, and the next start writes the state, too
    }

    /** A process that is dead is not adopted, so that its record may stay where it cannot be deleted. */
    private void forget() {
        daemon = null;
        clients.reset();
        certificates.daemonEnded();
        reporter.daemonChanged(null);
        normal.ended();
        try {
            Files.deleteIfExists(files.daemonPid());
        } catch (IOException e) {
            Log.info("cannot delete " + files.daemonPid() + ": " + e);
        }
    }

    private void stop(Daemon running, String reason) throws IOException {
        shutdown.end(running, reason);
        backoff.reset();
        forget();
    }

    /** Stops a daemon that does not serve. It counts as failed, and starts again after a pause that grows. */
    private void restartAfterFailure(Daemon running, String reason) throws IOException {
        Duration served = normal.length();
        shutdown.end(running, reason);
        backoff.ended(served);
        state.change(state.current().withExits(state.current().exits() + 1));
        forget();
        failures.save(state); // a failure is in the log, and the next start writes the state, too
    }

    /** Kills the daemon: Cassandra would continue to join while it ends, and store that it has joined. */
    private void restartWithBootstrap(Daemon running) throws IOException {
        clients.expectBootstrap();
        failures.save(state); // before the kill, for the next executor; a full disk does not delay the kill
        shutdown.kill(running, "starting again with bootstrap, because the cluster may hold data");
        backoff.reset();
        forget();
    }

    private Duration observe(Daemon running) throws IOException {
        NodeAnswer answer = companion.node(running.pid(), ANSWER_TIMEOUT);
        lastAnswer = System.nanoTime();
        Optional<NodeTarget> target = targets.current();
        if (answer.hasStoppedServing() && target.isPresent()) {
            restartAfterFailure(running, "Cassandra stopped serving after a failed write");
            return Duration.ZERO;
        }
        if (answer.hasFailedToJoin() && target.isPresent()) {
            String failed = "its bootstrap failed";
            reporter.setProblem(Problem.of(
                    ErrorCode.DAEMON_FAILED,
                    failed + exitReport.lastError().map(error -> ": " + error).orElse(""),
                    Advice.nodeLogs(targets.node()).prefix("it starts again, and streams from the beginning; see ")));
            restartAfterFailure(running, failed);
            return Duration.ZERO;
        }
        if (target.isPresent()) {
            if (clients.mustBootstrap(target.get(), answer)) {
                restartWithBootstrap(running);
                return Duration.ZERO;
            }
            clients.observeJoin(target.get(), answer);
        }
        OperatingMode mode = OperatingMode.of(answer.mode());
        reporter.setRing(answer.ring());
        reached(mode, Instant.now());
        forgiveExits();
        Optional<Problem> unsaved = failures.save(state);
        boolean opened = target.isPresent() && clients.open(target.get(), answer);
        Optional<Problem> problem = unsaved.or(() -> clients.problem(targets.node()));
        if (mode == OperatingMode.NORMAL) {
            normal.observed();
            target.filter(NodeTarget::requiresInternodeTls)
                    .ifPresent(t -> certificates.advance(
                            running.pid(),
                            new InetSocketAddress(address.listen(), t.ports().storage()),
                            answer.cql() && t.encryptsCql()
                                    ? new InetSocketAddress(
                                            address.listen(), t.ports().nativeTransport())
                                    : null));
            reporter.setProblem(live.waiting()
                    .or(() -> Preflight.diskFull(files))
                    .or(() -> problem)
                    .orElse(null));
        } else {
            problem.ifPresentOrElse(reporter::setProblem, reporter::volumeRecovered);
        }
        boolean taskActive = target.isPresent() && advanceTask(target.get(), answer, running);
        if (target.isPresent() && tasks.hasStreamedRows(target.get().task())) {
            clients.rowsStreamed();
            failures.save(state); // before the server learns that the task is done, and drops it from the target
        }
        if (mode == OperatingMode.NORMAL && !state.hasStoredJoin()) {
            // a record that denies it would be a lost volume for the next executor, beside whole data
            reporter.post(OperatingMode.JOINING, "joined, which cannot be stored yet");
            return POLL_STEADY;
        }
        reporter.post(mode, release.with(mode, answer.activity()), serves(target, answer));
        return opened
                ? Duration.ZERO
                : taskActive ? POLL_TASK : mode == OperatingMode.NORMAL ? POLL_STEADY : POLL_STARTING;
    }

    /** The end of a task is stored before it is reported; where it cannot be, the node is what it is all the same. */
    private boolean advanceTask(NodeTarget target, NodeAnswer answer, Daemon running) throws NoAnswerException {
        try {
            boolean active = tasks.advance(target.task(), targets.secrets(), answer, running.pid());
            failures.taskPassed();
            return active;
        } catch (NoAnswerException e) {
            throw e;
        } catch (IOException e) {
            failures.taskFailed(e);
            return false;
        }
    }

    /** Exits count in a row: those before a good run say nothing about the next short one. */
    private void forgiveExits() {
        if (state.current().exits() > 0 && normal.provesConfiguration()) {
            state.resetExits();
        }
    }

    /** Whether clients can connect, or should not, and no drain was requested. Mode NORMAL is not checked here. */
    private boolean serves(Optional<NodeTarget> target, NodeAnswer answer) {
        boolean closedAsAsked = target.isPresent() && !target.get().opensCql();
        boolean draining = target.isPresent() && tasks.isDraining(target.get().task());
        return (answer.cql() || closedAsAsked) && !draining;
    }

    /** Records the stages of the start that a daemon in this mode has reached. */
    private void reached(OperatingMode mode, Instant now) {
        Map<Stage, Instant> stages = new EnumMap<>(Stage.class);
        stages.putAll(state.current().stages());
        if (stages.putIfAbsent(Stage.DAEMON, now) == null) {
            state.change(state.current().withStages(stages));
        }
        if (mode == OperatingMode.NORMAL && stages.putIfAbsent(Stage.JOINED, now) == null) {
            state.change(state.current().joinedAt(stages));
        }
    }
}
