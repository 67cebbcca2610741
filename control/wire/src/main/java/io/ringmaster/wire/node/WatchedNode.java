package io.ringmaster.wire.node;

import io.ringmaster.json.Json;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.wire.client.FailureReason;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One node that is followed. Touched by the agent's book-keeping thread alone. */
final class WatchedNode {
    /** One failure may be an executor that is being replaced; two in a row are silence. */
    private static final int FAILURES_OF_SILENCE = 2;

    /** What an executor answers. */
    private record Answer(long revision, @Nullable NodeStatus status) {}

    private final HttpExecutorClient agent;
    private final NodeId node;
    private final Allocation allocation;
    private @Nullable CompletableFuture<HttpResponse<String>> question;
    private long revision;
    private int failures;
    private boolean stopped;

    WatchedNode(HttpExecutorClient agent, NodeId node, Allocation allocation) {
        this.agent = agent;
        this.node = node;
        this.allocation = allocation;
    }

    Allocation allocation() {
        return allocation;
    }

    void poll() {
        if (stopped || question != null) {
            return;
        }
        Duration wait = agent.timing().poll();
        var request = agent.request(
                        allocation,
                        "status?after=" + revision + "&wait_ms=" + wait.toMillis(),
                        wait.plus(agent.timing().answer()))
                .GET()
                .build();
        question = agent.send(request);
        var unused = question.whenComplete((response, failure) -> agent.run(() -> answered(response, failure)));
    }

    /** Something was asked of it that it took: do not wait out the pause after a failure. */
    void hurry() {
        failures = 0;
        poll();
    }

    void stop() {
        stopped = true;
        if (question != null) {
            question.cancel(true);
        }
    }

    private void answered(@Nullable HttpResponse<String> response, @Nullable Throwable failure) {
        question = null;
        if (stopped) {
            return;
        }
        long before = revision;
        String wrong = response == null
                ? FailureReason.of(Objects.requireNonNull(failure, "a future ends with a value or a failure"))
                : take(response);
        if (wrong == null) {
            failures = 0;
            // an executor that does not hold the question must not be asked in a tight loop
            agent.later(this::poll, revision == before ? agent.timing().retry() : Duration.ZERO);
            return;
        }
        failures++;
        // another executor process may answer next, and counts its revisions from the start
        revision = 0;
        if (failures >= FAILURES_OF_SILENCE) {
            agent.tell(new Fact.NodeSilent(node, wrong));
        }
        agent.later(this::poll, pause());
    }

    /** @return what is wrong with the answer, or null */
    private @Nullable String take(HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            return "the executor answers HTTP " + response.statusCode();
        }
        try {
            Answer answer = Json.parse(response.body(), Answer.class);
            if (answer.status() == null || !answer.status().node().equals(node)) {
                return "another executor answers at " + response.uri().getAuthority();
            }
            revision = answer.revision();
            agent.tell(new Fact.NodeReported(answer.status()));
            return null;
        } catch (UncheckedIOException e) {
            return "the executor's answer is not understood: " + FailureReason.of(e);
        }
    }

    private Duration pause() {
        Duration most = agent.timing().retryMost();
        Duration doubled = agent.timing().retry().multipliedBy(1L << Math.min(failures - 1, 20));
        return doubled.compareTo(most) < 0 ? doubled : most;
    }
}
