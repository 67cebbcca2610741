package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.daemon.Daemon;
import io.ringmaster.executor.daemon.DaemonState;
import io.ringmaster.executor.daemon.DaemonStateFile;
import io.ringmaster.executor.identity.NodeIdentity;
import io.ringmaster.executor.state.StatusBoard;
import io.ringmaster.executor.state.TargetStore;
import io.ringmaster.executor.task.TaskKeeper;
import io.ringmaster.executor.task.TransferKeeper;
import io.ringmaster.executor.volume.VolumeMeter;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.spec.TlsSpec;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Composes the node's status and posts it to the board. */
final class StatusReporter {
    private static final Set<ErrorCode> OF_THE_VOLUME =
            EnumSet.of(ErrorCode.DISK_FULL, ErrorCode.VOLUME_READ_ONLY, ErrorCode.EXECUTOR_FAILED);

    private final TargetStore targets;
    private final DaemonStateFile state;
    private final TaskKeeper tasks;
    private final TransferKeeper transfers;
    private final LiveUpdater live;
    private final NodeIdentity identity;
    private final VolumeMeter volume;
    private final StatusBoard board;

    private @Nullable Daemon daemon;
    private @Nullable Problem problem;
    private @Nullable RingView ring;
    private long generation;
    /** Null before the supervisor follows a target. */
    private @Nullable TlsSpec tls;
    /** Null until the supervisor has written them for the daemon. */
    private @Nullable List<String> seedServers;

    /** @param adopted the running daemon of an earlier executor, or null */
    StatusReporter(
            TargetStore targets,
            DaemonStateFile state,
            TaskKeeper tasks,
            TransferKeeper transfers,
            LiveUpdater live,
            NodeIdentity identity,
            VolumeMeter volume,
            @Nullable Daemon adopted) {
        this.targets = targets;
        this.state = state;
        this.tasks = tasks;
        this.transfers = transfers;
        this.live = live;
        this.identity = identity;
        this.volume = volume;
        this.daemon = adopted;
        this.generation = targets.generation();
        this.board = new StatusBoard(status(
                adopted == null ? OperatingMode.DOWN : OperatingMode.LAUNCHED,
                adopted == null ? "preparing" : "adopted, waiting for its companion",
                Instant.now()));
    }

    StatusBoard board() {
        return board;
    }

    OperatingMode mode() {
        return board.read().status().mode();
    }

    /** The generation of the target that the supervisor works on; 0 before the first. */
    long generation() {
        return generation;
    }

    /** A problem of an older target says nothing about a new one. */
    void targetChanged(long newGeneration) {
        generation = newGeneration;
        problem = null;
    }

    /** The daemon uses TLS as this says, or is about to stop: before that, no state of it is posted. */
    void follows(TlsSpec current) {
        tls = current;
    }

    /** The servers that the node asks for its seeds; null before the first target. */
    @Nullable
    List<String> seedServers() {
        return seedServers;
    }

    void seedServersChanged(List<String> urls) {
        seedServers = urls;
    }

    /** @param running null when there is no daemon any longer */
    void daemonChanged(@Nullable Daemon running) {
        daemon = running;
        ring = null;
        tasks.daemonChanged();
    }

    void setProblem(@Nullable Problem current) {
        problem = current;
    }

    /** A failure of the executor itself is over; a problem of the daemon stays. */
    void executorRecovered() {
        if (problem != null && problem.code() == ErrorCode.EXECUTOR_FAILED) {
            problem = null;
        }
    }

    /** The volume can be read and written, which it could not be before. */
    void volumeRecovered() {
        if (problem != null && OF_THE_VOLUME.contains(problem.code())) {
            problem = null;
        }
    }

    void setRing(@Nullable RingView current) {
        ring = current;
    }

    /** Posts a state in which the node does not serve. */
    void post(OperatingMode mode, String activity) {
        post(mode, activity, false);
    }

    /** @param serves whether the clients that the node should have can connect, if its mode is NORMAL */
    void post(OperatingMode mode, String activity, boolean serves) {
        board.post(next(mode, activity), serves);
    }

    /** Posts that nothing new is known of the daemon; the node stays ready if it was. */
    void postUnanswered(OperatingMode mode, String activity) {
        board.postUnanswered(next(mode, activity));
    }

    private NodeStatus next(OperatingMode mode, String activity) {
        NodeStatus last = board.read().status();
        boolean same = last.mode() == mode && last.activity().equals(activity);
        return status(mode, activity, same ? last.since() : Instant.now());
    }

    private NodeStatus status(OperatingMode mode, String activity, Instant since) {
        Daemon running = daemon;
        DaemonState now = state.current();
        return new NodeStatus(
                targets.node(),
                generation,
                running == null ? 0 : now.specVersion(),
                now.restarts(),
                mode,
                activity,
                since,
                now.stages(),
                ProcessHandle.current().pid(),
                running == null ? null : running.pid(),
                now.exits(),
                problem == null ? live.refusal() : problem,
                ring,
                tasks.reported(targets.current().map(NodeTarget::task).orElse(null)),
                transfers.status(targets.current().map(NodeTarget::transfer).orElse(null)),
                running == null || now.live() == null ? Map.of() : now.live().reported(),
                seedServers,
                tlsStatus(),
                volume.last());
    }

    private TlsStatus tlsStatus() {
        boolean used =
                targets.current().filter(NodeTarget::requiresInternodeTls).isPresent();
        TlsStatus known = used ? identity.status() : TlsStatus.UNUSED;
        return tls == null ? known : known.following(tls);
    }
}
