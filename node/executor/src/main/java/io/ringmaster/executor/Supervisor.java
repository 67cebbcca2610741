package io.ringmaster.executor;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NodeAnswer;
import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Backoff;
import io.ringmaster.executor.daemon.Daemon;
import io.ringmaster.executor.daemon.DaemonState;
import io.ringmaster.executor.daemon.ExitReport;
import io.ringmaster.executor.daemon.MemoryLock;
import io.ringmaster.executor.daemon.Preflight;
import io.ringmaster.executor.settings.LiveChange;
import io.ringmaster.executor.settings.LiveSetter;
import io.ringmaster.executor.settings.LiveSetter.Outcome;
import io.ringmaster.executor.task.TaskKeeper;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.spec.LiveParameters;
import java.io.IOException;
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
 * The executor's only loop: compares target and daemon, does the next thing, reports, sleeps. Woken by a new target and by the end
 * of the daemon.
 */
final class Supervisor implements Runnable {
    private static final Duration POLL_STARTING = Duration.ofMillis(400);
    private static final Duration POLL_TASK = Duration.ofMillis(200);
    private static final Duration POLL_STEADY = Duration.ofSeconds(1);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(3);

    private final NodeFiles files;
    private final Installation installation;
    private final Targets targets;
    private final CompanionClient companion;
    private final TaskKeeper tasks;
    private final LiveSetter setter;
    private final Shutdown shutdown;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Backoff backoff = new Backoff();
    private final StatusBoard board;

    private DaemonState state;
    private @Nullable Daemon daemon;
    private ExitReport exitReport;
    private @Nullable Problem problem;
    /** Why the running daemon did not take what the target changes; it serves on as before. */
    private @Nullable Problem refusal;

    /** The running daemon cannot be told what to change. */
    private boolean mustRestart;

    private @Nullable Instant normalSince;
    private @Nullable RingView ring;
    private long seenGeneration;

    /** @param stages those reached when no daemon was started here yet */
    Supervisor(NodeFiles files, Installation installation, Map<Stage, Instant> stages) throws IOException {
        this.files = files;
        this.installation = installation;
        this.targets = new Targets(files, wakeUps::release);
        this.companion = new CompanionClient(files.socket());
        this.tasks = new TaskKeeper(files, companion);
        this.setter = new LiveSetter(companion);
        this.shutdown = new Shutdown(companion, this::post);
        this.exitReport = ExitReport.ofAdopted(files);
        this.seenGeneration = targets.current().generation();
        Optional<DaemonState> earlier = DaemonState.read(files);
        this.state = earlier.orElseGet(() -> DaemonState.none().withStages(stages));
        Optional<Daemon> running = Daemon.adopt(files);
        running.ifPresent(this::adopt);
        this.board = new StatusBoard(status(
                daemon == null ? OperatingMode.DOWN : OperatingMode.LAUNCHED,
                daemon == null ? "preparing" : "adopted, asking it",
                Instant.now()));
    }

    StatusBoard board() {
        return board;
    }

    Targets targets() {
        return targets;
    }

    CompanionClient companion() {
        return companion;
    }

    private void adopt(Daemon running) {
        daemon = running;
        running.onExit(wakeUps::release);
        Log.info("adopted the daemon " + running.pid());
    }

    @Override
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            Duration pause;
            try {
                pause = advance();
            } catch (IOException | RuntimeException e) {
                Log.error("cannot advance", e);
                problem = Preflight.diskFull(files)
                        .orElse(Problem.of(ErrorCode.EXECUTOR_FAILED, "executor: " + e, "read executor.log"));
                post(daemon == null ? OperatingMode.DOWN : OperatingMode.UNKNOWN, "waiting after a failure");
                pause = POLL_STEADY;
            }
            sleep(pause);
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

    /** Does one thing. Answers how long nothing needs doing unless something wakes it. */
    private Duration advance() throws IOException {
        NodeTarget target = targets.current();
        if (target.generation() != seenGeneration) {
            SeedServers.write(target, files);
            seenGeneration = target.generation();
            backoff.reset();
            refusal = null;
            problem = null; // what was wrong with an older target says nothing of this one
            state = state.withExits(0);
        }
        Daemon running = daemon;
        if (running == null) {
            return startWhenDue(target);
        }
        if (!running.isAlive()) {
            ended(running);
            return Duration.ZERO;
        }
        Drift drift = new Drift(target, state, files, installation);
        Optional<String> reason = drift.stopReason(!mustRestart);
        if (reason.isPresent()) {
            stop(running, reason.get());
            return Duration.ZERO;
        }
        Optional<LiveChange> change = drift.live();
        if (change.isPresent()) {
            return setLive(running, target, change.get());
        }
        if (target.specVersion() != state.specVersion()) {
            remember(state.satisfying(target.specVersion(), target.restarts()));
        }
        return observe(running);
    }

    /** It is noted before what is about to change: an executor that dies meanwhile leaves it to the next to set that again. */
    private Duration setLive(Daemon running, NodeTarget target, LiveChange change) throws IOException {
        if (refusal != null || board.read().status().mode() != OperatingMode.NORMAL) {
            return observe(running);
        }
        DaemonState before = state;
        remember(state.changing(change.names()));
        Outcome outcome = setter.set(change, running.pid());
        Log.info("sets " + change + " in the daemon " + running.pid() + ": " + outcome);
        if (outcome instanceof Outcome.Changed changed) {
            Configuration configuration = Configurations.of(target, files, installation, state.joined());
            write(configuration);
            remember(state.changed(
                    configuration.fingerprint(), LiveParameters.of(target.cassandraYaml()), changed.told()));
            return Duration.ZERO;
        }
        if (outcome instanceof Outcome.Refused refused) {
            remember(before);
            refusal = refused.problem();
        } else if (outcome instanceof Outcome.Unable) {
            remember(before);
            mustRestart = true;
            return Duration.ZERO;
        }
        return observe(running);
    }

    private Duration startWhenDue(NodeTarget target) throws IOException {
        if (!target.run()) {
            problem = null;
            post(OperatingMode.DOWN, "stopped as asked");
            return POLL_STEADY;
        }
        if (tasks.hasLeft(target.task())) {
            problem = null;
            post(OperatingMode.DECOMMISSIONED, "left the ring");
            return POLL_STEADY;
        }
        Duration wait = backoff.remaining(Instant.now());
        if (!wait.isZero()) {
            post(OperatingMode.DOWN, "starting again in " + (wait.toSeconds() + 1) + " s");
            return wait.compareTo(POLL_STEADY) < 0 ? wait : POLL_STEADY;
        }
        files.create();
        Optional<Problem> obstacle =
                Configurations.missing(target, installation).or(() -> Preflight.problem(target, files));
        if (obstacle.isPresent()) {
            problem = obstacle.get();
            Log.info("cannot start: " + problem.line());
            backoff.ended(Instant.now(), Duration.ZERO);
            return Duration.ZERO;
        }
        start(target);
        return POLL_STARTING;
    }

    private void start(NodeTarget target) throws IOException {
        Configuration configuration = Configurations.of(target, files, installation, state.joined());
        for (String directory : configuration.directories()) {
            Files.createDirectories(files.directory(directory));
        }
        write(configuration);
        Files.writeString(files.conf().resolve("command"), String.join("\n", configuration.command()) + "\n");
        Files.deleteIfExists(files.socket());
        remember(state.started(
                target.specVersion(),
                target.restarts(),
                configuration.fingerprint(),
                LiveParameters.of(target.cassandraYaml()),
                Instant.now()));
        mustRestart = false;
        refusal = null;
        exitReport = ExitReport.begin(files);
        ring = null;
        normalSince = null;
        Daemon started = Daemon.start(configuration, files, MemoryLock.prefix(target.preset()));
        started.onExit(wakeUps::release);
        daemon = started;
        Log.info("started the daemon " + started.pid() + " with spec version " + target.specVersion());
        post(OperatingMode.LAUNCHED, "starting the JVM");
    }

    private void write(Configuration configuration) throws IOException {
        for (Map.Entry<String, String> file : configuration.files().entrySet()) {
            DurableFiles.write(files.volume().resolve(file.getKey()), file.getValue());
        }
    }

    private void ended(Daemon dead) throws IOException {
        OptionalInt exitCode = dead.exitCode();
        Problem why = exitReport.problem(dead.pid(), exitCode);
        Log.info("the daemon " + dead.pid() + " ended: " + why.line());
        problem = why;
        Instant now = Instant.now();
        if (why.code() == ErrorCode.CONFIGURATION_REJECTED) {
            backoff.endedForGood(now);
        } else {
            backoff.ended(now, normalSince == null ? Duration.ZERO : Duration.between(normalSince, now));
        }
        remember(state.withExits(state.exits() + 1));
        forget();
        post(OperatingMode.DOWN, "ended by itself");
    }

    private void forget() throws IOException {
        daemon = null;
        ring = null;
        normalSince = null;
        Files.deleteIfExists(files.daemonPid());
    }

    private void stop(Daemon running, String reason) throws IOException {
        shutdown.end(running, reason);
        backoff.reset();
        forget();
    }

    /** What stopped serving by itself is ended like one that died: it starts again when there is room for what it writes. */
    private void bringBack(Daemon running) throws IOException {
        Instant now = Instant.now();
        Duration served = normalSince == null ? Duration.ZERO : Duration.between(normalSince, now);
        stop(running, "Cassandra stopped serving after a failed write");
        backoff.ended(now, served);
        remember(state.withExits(state.exits() + 1));
    }

    private Duration observe(Daemon running) throws IOException {
        NodeAnswer answer;
        try {
            answer = companion.node(running.pid(), ANSWER_TIMEOUT);
        } catch (IOException e) {
            boolean answered = state.stages().containsKey(Stage.DAEMON);
            post(
                    answered ? OperatingMode.UNKNOWN : OperatingMode.LAUNCHED,
                    answered ? "its companion does not answer: " + e.getMessage() : "starting the JVM");
            return POLL_STARTING;
        }
        if (answer.hasStoppedServing()) {
            bringBack(running);
            return Duration.ZERO;
        }
        OperatingMode mode = OperatingMode.of(answer.mode());
        ring = answer.ring();
        Instant now = Instant.now();
        Map<Stage, Instant> stages = stages();
        if (stages.putIfAbsent(Stage.DAEMON, now) == null) {
            remember(state.withStages(stages));
        }
        if (mode == OperatingMode.NORMAL) {
            if (stages.putIfAbsent(Stage.JOINED, now) == null) {
                remember(state.joinedAt(stages));
            }
            normalSince = normalSince == null ? now : normalSince;
            problem = Preflight.diskFull(files).orElse(null);
        }
        boolean atWork = tasks.advance(targets.current().task(), answer, running.pid());
        post(mode, answer.activity());
        return atWork ? POLL_TASK : mode == OperatingMode.NORMAL ? POLL_STEADY : POLL_STARTING;
    }

    private Map<Stage, Instant> stages() {
        Map<Stage, Instant> stages = new EnumMap<>(Stage.class);
        stages.putAll(state.stages());
        return stages;
    }

    private void remember(DaemonState next) throws IOException {
        state = next;
        next.write(files);
    }

    private void post(OperatingMode mode, String activity) {
        NodeStatus last = board.read().status();
        boolean same = last.mode() == mode && last.activity().equals(activity);
        board.post(status(mode, activity, same ? last.since() : Instant.now()));
    }

    private NodeStatus status(OperatingMode mode, String activity, Instant since) {
        Daemon running = daemon;
        return new NodeStatus(
                targets.current().node(),
                seenGeneration,
                running == null ? 0 : state.specVersion(),
                state.restarts(),
                mode,
                activity,
                since,
                state.stages(),
                ProcessHandle.current().pid(),
                running == null ? null : running.pid(),
                state.exits(),
                problem == null ? refusal : problem,
                ring,
                tasks.status(targets.current().task()),
                running == null || state.live() == null
                        ? Map.of()
                        : state.live().told());
    }
}
