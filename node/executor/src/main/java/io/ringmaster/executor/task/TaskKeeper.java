package io.ringmaster.executor.task;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.ringmaster.executor.Log;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NodeAnswer;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that the task in the target is done once. What the daemon is at is adopted by its id; what it does not know it is asked for
 * anew, unless it stands on disk that it is over; what nobody wants any more is ended.
 */
public final class TaskKeeper {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);
    private static final int REFUSED = 400;

    private final NodeFiles files;
    private final CompanionClient companion;
    private @Nullable TaskStatus status;

    public TaskKeeper(NodeFiles files, CompanionClient companion) throws IOException {
        this.files = files;
        this.companion = companion;
        this.status = read(files);
    }

    /** Of this task, as far as it is known. */
    public @Nullable TaskStatus status(@Nullable NodeTask wanted) {
        TaskStatus known = status;
        return wanted != null && known != null && known.id().equals(wanted.id()) ? known : null;
    }

    /** Whether the node left the ring as it was asked to: Cassandra does not start again on this volume. */
    public boolean hasLeft(@Nullable NodeTask wanted) {
        TaskStatus known = status(wanted);
        return known != null && known.kind() == NodeTask.Kind.DECOMMISSION && known.state() == TaskStatus.State.DONE;
    }

    /**
     * Does the next thing.
     *
     * @param answer what the daemon says of itself now
     * @return whether something is at work, so that it is worth a look soon
     */
    public boolean advance(@Nullable NodeTask wanted, NodeAnswer answer, long daemonPid) throws IOException {
        TaskStatus told = answer.task();
        boolean foreign = told != null
                && !told.state().isOver()
                && (wanted == null || !told.id().equals(wanted.id()));
        if (foreign) {
            Log.info("ends the " + told.kind().label() + " " + told.id() + ", which nobody wants any more");
            companion.call(daemonPid, "POST /task/abort", Json.bytes(Map.of("id", told.id())), ANSWER_TIMEOUT);
            return true;
        }
        if (wanted == null) {
            return false;
        }
        TaskStatus known = status(wanted);
        if (known != null && known.state().isOver()) {
            return false;
        }
        if (told != null && told.id().equals(wanted.id())) {
            take(told);
            return !told.state().isOver();
        }
        if (mayBegin(wanted, OperatingMode.of(answer.mode()))) {
            begin(wanted, daemonPid);
        }
        return true;
    }

    private static boolean mayBegin(NodeTask wanted, OperatingMode mode) {
        return mode == OperatingMode.NORMAL
                || (mode == OperatingMode.DECOMMISSION_FAILED && wanted.kind() == NodeTask.Kind.DECOMMISSION);
    }

    private void begin(NodeTask wanted, long daemonPid) throws IOException {
        Log.info("asks for the " + wanted.kind().label() + " " + wanted.id());
        CompanionClient.Answer answer = companion.call(daemonPid, "POST /task", Json.bytes(wanted), ANSWER_TIMEOUT);
        if (answer.status() == REFUSED) {
            Instant now = Instant.now();
            take(new TaskStatus(
                    wanted.id(),
                    wanted.kind(),
                    TaskStatus.State.FAILED,
                    0,
                    0,
                    "",
                    Json.mapper().readTree(answer.body()).path("error").asText(),
                    now,
                    now));
        }
    }

    private void take(TaskStatus next) throws IOException {
        if (next.state().isOver()) {
            Log.info("the " + next.kind().label() + " " + next.id() + " is " + next.state() + ": " + next.message());
            DurableFiles.write(files.task(), Json.text(next));
        }
        status = next;
    }

    private static @Nullable TaskStatus read(NodeFiles files) throws IOException {
        try {
            return Json.mapper().readValue(Files.readAllBytes(files.task()), TaskStatus.class);
        } catch (JsonProcessingException e) {
            throw new IOException(files.task() + " is damaged", e);
        } catch (NoSuchFileException e) {
            return null;
        }
    }
}
