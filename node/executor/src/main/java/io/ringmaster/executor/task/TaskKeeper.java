package io.ringmaster.executor.task;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NodeAnswer;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.state.RecordFile;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskSecrets;
import io.ringmaster.model.node.TaskStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs the task of the target to its end. A running task with the same id is adopted. A task that the daemon does not
 * know is started again, unless its end is recorded on disk. A running task that is no longer in the target is aborted.
 */
public final class TaskKeeper {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);
    private static final int STARTED = 200;
    /** Another task is at work, or too many requests are. */
    private static final Set<Integer> BUSY = Set.of(409, 503);

    private static final Set<NodeTask.Kind> STREAMING = Set.of(NodeTask.Kind.REPAIR, NodeTask.Kind.REBUILD);
    private static final Set<String> TABLE_SELECTION = Set.of("keyspaces", "tables");

    private final NodeFiles files;
    private final CompanionClient companion;
    private @Nullable TaskStatus status;

    /** The task that the daemon still runs although the target does not name it; null while there is none. */
    private @Nullable TaskStatus ending;

    /** The last line in the log: what is repeated with each turn is written once. */
    private String said = "";

    public TaskKeeper(NodeFiles files, CompanionClient companion) throws IOException {
        this.files = files;
        this.companion = companion;
        this.status = RecordFile.read(
                        files.task(),
                        json -> Json.parse(json, TaskStatus.class),
                        "if the target still has its task, that runs again")
                .orElse(null);
    }

    /** The status of the task in the target; null if unknown. */
    public @Nullable TaskStatus status(@Nullable NodeTask wanted) {
        TaskStatus known = status;
        return wanted != null && known != null && known.id().equals(wanted.id()) ? known : null;
    }

    /** What the server learns: the task that still has to end before that of the target, else the latter. */
    public @Nullable TaskStatus reported(@Nullable NodeTask wanted) {
        return ending == null ? status(wanted) : ending;
    }

    /** Another daemon runs, or none: the tasks of the one before ended with it. */
    public void daemonChanged() {
        ending = null;
        said = "";
    }

    /** Whether the requested decommission is done: Cassandra does not start on this volume again. */
    public boolean hasLeft(@Nullable NodeTask wanted) {
        TaskStatus known = status(wanted);
        return known != null && known.kind() == NodeTask.Kind.DECOMMISSION && known.state() == TaskStatus.State.DONE;
    }

    /** Whether the requested task is a drain that is not over. */
    public boolean isDraining(@Nullable NodeTask wanted) {
        TaskStatus known = status(wanted);
        return wanted != null
                && wanted.kind() == NodeTask.Kind.DRAIN
                && (known == null || !known.state().isOver());
    }

    /**
     * Whether the requested task is done and gave the node the rows that it lacked: a repair or rebuild of all tables.
     * A repair of primary ranges counts. Its plan repairs the other ranges of the node by tasks of other nodes, which
     * this executor does not know.
     */
    public boolean hasStreamedRows(@Nullable NodeTask wanted) {
        TaskStatus known = status(wanted);
        return wanted != null
                && known != null
                && known.state() == TaskStatus.State.DONE
                && STREAMING.contains(wanted.kind())
                && wanted.args().keySet().stream().noneMatch(TABLE_SELECTION::contains);
    }

    /** As the other, for a task that needs no secrets. */
    boolean advance(@Nullable NodeTask wanted, NodeAnswer answer, long daemonPid) throws IOException {
        return advance(wanted, null, answer, daemonPid);
    }

    /**
     * Performs the next action for the task in the target.
     *
     * @param secrets what the server sent beside the target
     * @param answer the current state of the daemon
     * @return whether a task is active, so that the next check should come soon
     */
    public boolean advance(@Nullable NodeTask wanted, @Nullable TaskSecrets secrets, NodeAnswer answer, long daemonPid)
            throws IOException {
        TaskStatus reported = answer.task();
        ending = null;
        if (reported != null
                && !reported.state().isOver()
                && (wanted == null || !reported.id().equals(wanted.id()))) {
            ending = reported;
            say("aborting the " + reported.kind().label() + " " + reported.id() + ", which is no longer in the target");
            companion.call(daemonPid, "POST /task/abort", Json.bytes(Map.of("id", reported.id())), ANSWER_TIMEOUT);
            return true;
        }
        if (wanted == null) {
            return false;
        }
        TaskStatus known = status(wanted);
        if (known != null && known.state().isOver()) {
            return false;
        }
        if (reported != null && reported.id().equals(wanted.id())) {
            update(reported);
            return !reported.state().isOver();
        }
        if (mayStart(wanted, OperatingMode.of(answer.mode()))) {
            start(wanted, secrets, daemonPid);
        }
        return true;
    }

    private static boolean mayStart(NodeTask wanted, OperatingMode mode) {
        return mode == OperatingMode.NORMAL
                || (mode == OperatingMode.DECOMMISSION_FAILED && wanted.kind() == NodeTask.Kind.DECOMMISSION);
    }

    /** A task whose secrets are gone with a former executor waits until the server sends them again. */
    private void start(NodeTask wanted, @Nullable TaskSecrets secrets, long daemonPid) throws IOException {
        if (!wanted.needsSecrets()) {
            ask(wanted, daemonPid);
        } else if (secrets != null && secrets.task().equals(wanted.id())) {
            if (secrets.problem() != null) {
                fail(wanted, secrets.problem());
                return;
            }
            Map<String, String> args = new TreeMap<>(wanted.args());
            args.putAll(secrets.args());
            ask(new NodeTask(wanted.id(), wanted.kind(), args), daemonPid);
        }
    }

    private void fail(NodeTask wanted, String reason) throws IOException {
        Instant now = Instant.now();
        update(new TaskStatus(wanted.id(), wanted.kind(), TaskStatus.State.FAILED, 0, 0, "", reason, now, now));
    }

    /** Whatever the companion answers is final, unless it is busy: then it is asked again. */
    private void ask(NodeTask wanted, long daemonPid) throws IOException {
        say("starting the " + wanted.kind().label() + " " + wanted.id());
        CompanionClient.Answer answer = companion.call(daemonPid, "POST /task", Json.bytes(wanted), ANSWER_TIMEOUT);
        if (BUSY.contains(answer.status())) {
            waits(wanted, answer.error());
        } else if (answer.status() != STARTED) {
            fail(wanted, answer.error());
        }
    }

    private void waits(NodeTask wanted, String reason) throws IOException {
        TaskStatus known = status(wanted);
        Instant since = known == null ? Instant.now() : known.startedAt();
        String message = "waits for its start: " + reason;
        update(new TaskStatus(wanted.id(), wanted.kind(), TaskStatus.State.RUNNING, 0, 0, "", message, since, null));
    }

    private void update(TaskStatus next) throws IOException {
        if (next.state().isOver()) {
            say("the " + next.kind().label() + " " + next.id() + " is " + next.state() + ": " + next.message());
            DurableFiles.write(files.task(), Json.text(next));
        }
        status = next;
    }

    private void say(String line) {
        if (!line.equals(said)) {
            said = line;
            Log.info(line);
        }
    }
}
