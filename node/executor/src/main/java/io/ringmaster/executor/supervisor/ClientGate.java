package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NodeAnswer;
import io.ringmaster.executor.daemon.Backoff;
import io.ringmaster.executor.daemon.DaemonStateFile;
import io.ringmaster.executor.log.Log;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens CQL once the cluster counts as created. Until then nodes join without bootstrap, and a row that a client wrote
 * would be missing on them. Only a daemon that reports that it was started closed is opened, and only once: CQL that an
 * operator closes stays closed.
 */
final class ClientGate {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;

    private final CompanionClient companion;
    private final DaemonStateFile state;
    private final Backoff backoff = new Backoff();
    private @Nullable Problem failure;
    private boolean expectsBootstrap;

    ClientGate(CompanionClient companion, DaemonStateFile state) {
        this.companion = companion;
        this.state = state;
    }

    /** Failures of an ended daemon, or under an older target, say nothing about the next attempt. */
    void reset() {
        backoff.reset();
        failure = null;
    }

    /**
     * Whether the daemon starts without bootstrap, although the cluster may hold data by now. It must start again, with
     * bootstrap. This helps only until Cassandra stores that it joined: it never bootstraps afterwards.
     */
    boolean mustBootstrap(NodeTarget target, NodeAnswer answer) {
        return isLate(target, answer) && !Boolean.TRUE.equals(answer.bootstrapped());
    }

    /** The next daemon starts with bootstrap, unless its predecessor stored its join just before its end. */
    void expectBootstrap() {
        expectsBootstrap = true;
    }

    /** Records a daemon that joined without bootstrap after clients may have written. */
    void observeJoin(NodeTarget target, NodeAnswer answer) throws IOException {
        if (answer.bootstrapped() == null) {
            return;
        }
        boolean unstreamed = answer.bootstrapped() && (isLate(target, answer) || expectsBootstrap);
        // a daemon that bootstraps reports false for seconds before it reports true
        expectsBootstrap = false;
        if (unstreamed && !state.current().unstreamed()) {
            state.write(state.current().joinedUnstreamed());
            Log.info(unstreamed(target.node()).line());
        }
    }

    private boolean isLate(NodeTarget target, NodeAnswer answer) {
        return answer.awaitsClients()
                && !target.firstCreation()
                && !state.current().joined();
    }

    /**
     * Opens CQL if that is due.
     *
     * @return whether CQL is open now and was not before
     */
    boolean open(NodeTarget target, NodeAnswer answer) {
        if (!answer.awaitsClients() || target.firstCreation() || !target.opensCql()) {
            failure = null;
            return false;
        }
        Instant now = Instant.now();
        if (OperatingMode.of(answer.mode()) != OperatingMode.NORMAL
                || !backoff.remaining(now).isZero()) {
            return false;
        }
        Optional<String> cause = attempt(answer.pid());
        if (cause.isPresent()) {
            backoff.ended(now, Duration.ZERO);
            failure = closed(target.node(), cause.get());
            Log.info(failure.line());
            return false;
        }
        failure = null;
        Log.info("the cluster counts as created: CQL is open");
        return true;
    }

    private Optional<String> attempt(long daemonPid) {
        try {
            CompanionClient.Answer answer =
                    companion.call(daemonPid, "POST /clients/open", new byte[0], ANSWER_TIMEOUT);
            return answer.status() == OK
                    ? Optional.empty()
                    : Optional.of(
                            Json.mapper().readTree(answer.body()).path("error").asText());
        } catch (IOException e) {
            return Optional.of(e.toString());
        }
    }

    /** Why clients cannot connect, or may read too little; empty if neither is known. */
    Optional<Problem> problem(NodeId node) {
        return failure != null
                ? Optional.of(failure)
                : state.current().unstreamed() ? Optional.of(unstreamed(node)) : Optional.empty();
    }

    private static Problem closed(NodeId node, String cause) {
        return Problem.of(
                ErrorCode.DAEMON_FAILED,
                "CQL is closed: " + cause,
                Advice.nodeLogs(node)
                        .prefix("see system.log: ")
                        .suffix("; the executor tries again, after at most 60 s"));
    }

    private static Problem unstreamed(NodeId node) {
        return Problem.of(
                ErrorCode.DAEMON_FAILED,
                "the node joined without bootstrap after the cluster counted as created: rows that clients wrote before"
                        + " it joined are missing on it",
                Advice.command("repair start " + node.cluster())
                        .suffix(", or rebuild the node from another datacenter; this message ends with the next start"
                                + " of the daemon"));
    }
}
