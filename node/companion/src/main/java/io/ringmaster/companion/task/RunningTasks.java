package io.ringmaster.companion.task;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.companion.cassandra.CompanionThreads;
import io.ringmaster.companion.cassandra.FailureText;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current or last task of this node. A second request with the same id changes nothing, so that a restarted
 * executor adopts the running task. The state lives in memory only: after a restart of Cassandra the executor requests
 * an unfinished task again.
 */
public final class RunningTasks {
    private static final Logger LOG = LoggerFactory.getLogger(RunningTasks.class);
    private static final long STOP_RETRY_MS = 100;

    /** A task cannot start now; the message says what to do. */
    public static final class Busy extends Exception {
        private static final long serialVersionUID = 1L;

        Busy(String message) {
            super(message);
        }
    }

    private static final class Task {
        final String id;
        final String kind;
        final TaskBody body;
        final Progress progress = new Progress();
        final Instant startedAt = Instant.now();
        volatile String state = "RUNNING";
        volatile String outcome = "";
        volatile @Nullable Instant endedAt;

        Task(String id, String kind, TaskBody body) {
            this.id = id;
            this.kind = kind;
            this.body = body;
        }

        boolean isRunning() {
            return endedAt == null;
        }
    }

    private final BiFunction<String, Map<String, String>, TaskBody> types;
    private volatile @Nullable Task current;

    public RunningTasks() {
        this(TaskTypes::of);
    }

    /** @param types creates the body of a task from its kind and arguments */
    RunningTasks(BiFunction<String, Map<String, String>, TaskBody> types) {
        this.types = types;
    }

    /**
     * Starts a task, unless the current or last task has its id.
     *
     * @param body {@code {"id": ..., "kind": ..., "args": {...}}}
     * @throws IllegalArgumentException an unknown kind or wrong arguments
     * @throws Busy another task runs
     * @throws OutOfMemoryError the operating system gives no more threads; the task is not started
     */
    public synchronized void start(JsonNode body) throws Busy {
        String id = body.path("id").asText();
        String kind = body.path("kind").asText();
        Task known = current;
        if (known != null && known.id.equals(id)) {
            return;
        }
        if (known != null && known.isRunning()) {
            throw new Busy(known.kind + " " + known.id + " runs: abort it first");
        }
        Map<String, String> args = new LinkedHashMap<>();
        body.path("args")
                .fieldNames()
                .forEachRemaining(n -> args.put(n, body.path("args").path(n).asText()));
        Task task = new Task(id, kind, types.apply(kind, args));
        CompanionThreads.start("ringmaster-task", () -> run(task));
        current = task;
    }

    /** Requests the end of the task with this id if it runs; returns immediately. */
    public void abort(String id) {
        Task task = current;
        if (task != null && task.id.equals(id) && task.isRunning() && !task.progress.isStopped()) {
            // first: if there is no thread, the next request tries again
            CompanionThreads.start("ringmaster-task-stop", () -> stop(task));
            task.progress.stop();
        }
    }

    /** The fields of the model's {@code TaskStatus}; null before the first task. */
    public @Nullable Map<String, Object> status() {
        Task task = current;
        if (task == null) {
            return null;
        }
        Map<String, Object> status = new LinkedHashMap<>();
        Instant ended = task.endedAt;
        status.put("id", task.id);
        status.put("kind", task.kind);
        status.put("state", task.state);
        status.put("done", task.progress.done());
        status.put("total", task.progress.total());
        status.put("unit", task.progress.unit());
        status.put("message", ended == null ? task.progress.message() : task.outcome);
        status.put("startedAt", task.startedAt.toString());
        if (ended != null) {
            status.put("endedAt", ended.toString());
        }
        return status;
    }

    private static void run(Task task) {
        String state = "FAILED";
        try {
            task.outcome = task.body.run(task.progress);
            state = task.progress.isStopped() ? "ABORTED" : "DONE";
        } catch (Throwable e) { // also an assertion of Cassandra: a plan waits for the end of the task
            Throwable root = FailureText.root(e);
            task.outcome = root instanceof Error ? FailureText.withClass(root) : FailureText.of(root);
            state = task.progress.isStopped() ? "ABORTED" : "FAILED";
            LOG.warn("{} {} ended", task.kind, task.id, e);
            if (e instanceof VirtualMachineError fatal) {
                throw fatal;
            }
        } finally {
            task.state = state;
            task.endedAt = Instant.now();
        }
    }

    private static void stop(Task task) {
        while (task.isRunning()) {
            try {
                task.body.stop();
            } catch (Throwable e) { // an end that was asked for comes, whatever one attempt throws
                LOG.debug("{} {} cannot be stopped yet", task.kind, task.id, e);
            }
            try {
                Thread.sleep(STOP_RETRY_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
