package io.ringmaster.wire.node;

import io.ringmaster.json.Json;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.wire.client.FailureReason;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A node that is being watched. Only the client's scheduler thread polls. Any thread may stop it; once {@link #stop}
 * has returned, no fact of this node is reported.
 */
final class WatchedNode {
    /** One failure may be a restart of the executor; two in a row are silence. */
    private static final int FAILURES_UNTIL_SILENT = 2;
    /**
     * The same for a node that was never reached, while the pool may still be opening: about 3 s with the usual pauses.
     */
    private static final int FAILURES_OF_A_CLOSED_POOL = 6;

    /** The answer of an executor. */
    private record Answer(long revision, @Nullable NodeStatus status) {}

    private final HttpExecutorClient client;
    private final NodeId node;
    private final Allocation allocation;
    private @Nullable CompletableFuture<HttpResponse<String>> openPoll;
    private @Nullable ExecutorAccess lastAccess;
    private boolean moved;
    private long revision;
    private int failures;
    private boolean reached;
    private volatile boolean stopped;

    WatchedNode(HttpExecutorClient client, NodeId node, Allocation allocation) {
        this.client = client;
        this.node = node;
        this.allocation = allocation;
    }

    Allocation allocation() {
        return allocation;
    }

    void poll() {
        if (stopped || openPoll != null) {
            return;
        }
        Duration wait = client.timing().poll();
        Optional<ExecutorAccess> access = client.access(allocation);
        if (access.isEmpty()) {
            failed(HttpExecutorClient.NO_ACCESS, reached ? FAILURES_UNTIL_SILENT : FAILURES_OF_A_CLOSED_POOL);
            return;
        }
        reached = true;
        if (!access.get().equals(lastAccess)) {
            // another process, which counts revisions from 1
            revision = 0;
            lastAccess = access.get();
        }
        var request = client.request(
                        access.get(),
                        "status?after=" + revision + "&wait_ms=" + wait.toMillis(),
                        wait.plus(client.timing().answer()))
                .GET()
                .build();
        openPoll = client.send(access.get(), request);
        var unused = openPoll.whenComplete((response, failure) -> client.run(() -> answered(response, failure)));
    }

    /** Ends the pause after a failure, because the executor has just accepted a target. */
    void pollNow() {
        failures = 0;
        poll();
    }

    /** Ends an open poll if the pool reports another address by now: at the former one nobody may answer. */
    void followAccess() {
        CompletableFuture<HttpResponse<String>> open = openPoll;
        if (open == null || moved) {
            return;
        }
        Optional<ExecutorAccess> access = client.access(allocation);
        if (access.isPresent() && !access.get().equals(lastAccess)) {
            moved = true;
            open.cancel(true);
        }
    }

    /** Waits for a fact that is being reported at this moment, but not for the answer to an open poll. */
    synchronized void stop() {
        stopped = true;
        client.run(() -> {
            if (openPoll != null) {
                openPoll.cancel(true);
            }
        });
    }

    private synchronized void report(Fact fact) {
        if (!stopped) {
            client.report(fact);
        }
    }

    private void answered(@Nullable HttpResponse<String> response, @Nullable Throwable failure) {
        openPoll = null;
        if (stopped) {
            return;
        }
        if (moved) {
            moved = false;
            failures = 0;
            poll();
            return;
        }
        long before = revision;
        String error = response == null
                ? FailureReason.of(Objects.requireNonNull(failure, "a future ends with a value or a failure"))
                : accept(response);
        if (error == null) {
            failures = 0;
            // an executor that does not hold the poll must not be polled in a tight loop
            client.later(this::poll, revision == before ? client.timing().retry() : Duration.ZERO);
            return;
        }
        failed(error, FAILURES_UNTIL_SILENT);
    }

    private void failed(String reason, int failuresUntilSilent) {
        failures++;
        // the next answer may come from a new executor process, which counts revisions from 1
        revision = 0;
        if (failures >= failuresUntilSilent) {
            report(new Fact.NodeSilent(node, reason));
        }
        client.later(this::poll, pause());
    }

    /** @return what is wrong with the answer, or null */
    private @Nullable String accept(HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            return ExecutorAnswer.refusal(response);
        }
        try {
            Answer answer = Json.parse(response.body(), Answer.class);
            if (answer.status() == null || !answer.status().node().equals(node)) {
                return "another executor answers at " + response.uri().getAuthority();
            }
            revision = answer.revision();
            report(new Fact.NodeReported(answer.status()));
            return null;
        } catch (UncheckedIOException e) {
            return "the executor's answer is not understood: " + FailureReason.of(e);
        }
    }

    private Duration pause() {
        Duration most = client.timing().retryMost();
        Duration doubled = client.timing().retry().multipliedBy(1L << Math.min(failures - 1, 20));
        return doubled.compareTo(most) < 0 ? doubled : most;
    }
}
