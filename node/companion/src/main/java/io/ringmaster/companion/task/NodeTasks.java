package io.ringmaster.companion.task;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The one task that this node is at, or was at last. Asking for the same id again changes nothing, so that an executor that was
 * restarted adopts what runs. All is forgotten with the process: what was not done then is asked for again.
 */
public final class NodeTasks {
    private static final long STOP_AGAIN_MS = 100;

    /** Why a task cannot begin now; the message says what to do. */
    public static final class Busy extends Exception {
        private static final long serialVersionUID = 1L;

        Busy(String message) {
            super(message);
        }
    }

    private static final class Task {
        final String id;
        final String kind;
        final Work work;
        final Progress progress = new Progress();
        final Instant startedAt = Instant.now();
        volatile String state = "RUNNING";
        volatile String outcome = "";
        volatile @Nullable Instant endedAt;

        Task(String id, String kind, Work work) {
            this.id = id;
            this.kind = kind;
            this.work = work;
        }

        boolean runs() {
            return endedAt == null;
        }
    }

    private final BiFunction<String, Map<String, String>, Work> works;
    private volatile @Nullable Task current;

    public NodeTasks() {
        this(Works::of);
    }

    /** @param works from a kind and its arguments to the work */
    NodeTasks(BiFunction<String, Map<String, String>, Work> works) {
        this.works = works;
    }

    /**
     * Begins it, unless it has begun.
     *
     * @param body {@code {"id": ..., "kind": ..., "args": {...}}}
     * @throws IllegalArgumentException it is not known, or its arguments are wrong
     * @throws Busy another one runs
     */
    public synchronized void begin(JsonNode body) throws Busy {
        String id = body.path("id").asText();
        String kind = body.path("kind").asText();
        Task known = current;
        if (known != null && known.id.equals(id)) {
            return;
        }
        if (known != null && known.runs()) {
            throw new Busy(known.kind + " " + known.id + " runs: abort it first");
        }
        Map<String, String> args = new LinkedHashMap<>();
        body.path("args")
                .fieldNames()
                .forEachRemaining(n -> args.put(n, body.path("args").path(n).asText()));
        Task task = new Task(id, kind, works.apply(kind, args));
        current = task;
        thread("ringmaster-task", () -> run(task));
    }

    /** Ends the task of this id if it runs; answers at once. */
    public void abort(String id) {
        Task task = current;
        if (task != null && task.id.equals(id) && task.runs() && !task.progress.isStopped()) {
            task.progress.stop();
            thread("ringmaster-task-stop", () -> stop(task));
        }
    }

    /** As {@code TaskStatus} in the model; null before the first. */
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
            task.outcome = task.work.run(task.progress);
            state = task.progress.isStopped() ? "ABORTED" : "DONE";
        } catch (Exception | LinkageError e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            task.outcome = cause.getMessage() == null ? cause.toString() : cause.getMessage();
            state = task.progress.isStopped() ? "ABORTED" : "FAILED";
        } finally {
            task.state = state;
            task.endedAt = Instant.now();
        }
    }

    private static void stop(Task task) {
        while (task.runs()) {
            task.work.stop();
            try {
                Thread.sleep(STOP_AGAIN_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
