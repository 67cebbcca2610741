package io.ringmaster.pool.mesos.command;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.pool.mesos.api.SchedulerCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What became of operations and launches. Every update is acknowledged, because Mesos repeats it otherwise. */
public final class Feedback {
    private static final Logger LOG = LoggerFactory.getLogger(Feedback.class);

    private final MasterCalls calls;
    private final Map<String, CompletableFuture<JsonNode>> awaited = new ConcurrentHashMap<>();

    public Feedback(MasterCalls calls) {
        this.calls = calls;
    }

    /** The event UPDATE. */
    public void task(JsonNode status) {
        String state = status.path("state").asText();
        if (!state.equals("TASK_STAGING") && !state.equals("TASK_STARTING")) {
            complete(status.path("task_id").path("value").asText(), status);
        }
        if (status.has("uuid")) {
            acknowledge(() -> calls.call(SchedulerCalls.acknowledge(status)));
        }
    }

    /** The event UPDATE_OPERATION_STATUS. */
    public void operation(JsonNode status) {
        if (!status.path("state").asText().equals("OPERATION_PENDING")) {
            complete(status.path("operation_id").path("value").asText(), status);
        }
        if (status.has("uuid")) {
            acknowledge(() -> calls.call(SchedulerCalls.acknowledgeOperation(status)));
        }
    }

    private void complete(String id, JsonNode status) {
        CompletableFuture<JsonNode> waiting = awaited.get(id);
        if (waiting != null) {
            waiting.complete(status);
        }
    }

    private interface Acknowledgement {
        void send() throws IOException, InterruptedException;
    }

    private static void acknowledge(Acknowledgement acknowledgement) {
        try {
            acknowledgement.send();
        } catch (IOException e) {
            LOG.debug("an update is not acknowledged, and comes again: {}", ThrowableText.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** To be called before the operation or launch is sent; {@link #forget} ends it. */
    void expect(String id) {
        awaited.put(id, new CompletableFuture<>());
    }

    /** The outcome; empty if it is not known within the limit. */
    Optional<JsonNode> await(String id, Duration limit) throws InterruptedException {
        CompletableFuture<JsonNode> waiting = awaited.get(id);
        if (waiting == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(waiting.get(limit.toMillis(), TimeUnit.MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    /** Nobody waits for this outcome any more. */
    void forget(String id) {
        awaited.remove(id);
    }
}
