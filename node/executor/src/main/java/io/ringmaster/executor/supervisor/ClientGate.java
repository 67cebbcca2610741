package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NodeAnswer;
import io.ringmaster.executor.daemon.Backoff;
import io.ringmaster.executor.daemon.DaemonStateFile;
import io.ringmaster.executor.daemon.FirstJoin;
import io.ringmaster.executor.log.Log;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import java.io.IOException;
import java.time.Duration;
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

    ClientGate(CompanionClient companion, DaemonStateFile state) {
        this.companion = companion;
        this.state = state;
    }

    /** Clears the failures: a new daemon or target may succeed. */
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

    /** The next daemon starts with bootstrap, unless Cassandra stores its join before the end of this daemon. */
    void expectBootstrap() {
        state.change(state.current().withFirstJoin(FirstJoin.BOOTSTRAP_EXPECTED));
    }

    /**
     * Records when Cassandra stored that it joined. Only in memory: a full disk must not stop the supervisor, which
     * saves the state and tries again.
     */
    void observeJoin(NodeTarget target, NodeAnswer answer) {
        FirstJoin before = state.current().firstJoin();
        FirstJoin after = firstJoin(before, target, answer);
        if (after != before) {
            state.change(state.current().withFirstJoin(after));
            if (after == FirstJoin.UNSTREAMED) {
                Log.info(unstreamed(target.node()).line());
            }
        }
    }

    private FirstJoin firstJoin(FirstJoin known, NodeTarget target, NodeAnswer answer) {
        Boolean bootstrapped = answer.bootstrapped();
        if (bootstrapped == null) {
            return known;
        }
        return switch (known) {
            // a daemon that bootstraps reports false for seconds before it reports true
            case BOOTSTRAP_EXPECTED -> bootstrapped ? FirstJoin.UNSTREAMED : FirstJoin.NONE;
            case NONE ->
                !bootstrapped
                        ? FirstJoin.NONE
                        : target.firstCreation()
                                ? FirstJoin.BEFORE_CREATION
                                : isLate(target, answer) ? FirstJoin.UNSTREAMED : FirstJoin.NONE;
            case BEFORE_CREATION, UNSTREAMED -> known;
        };
    }

    private boolean isLate(NodeTarget target, NodeAnswer answer) {
        return answer.awaitsClients()
                && !target.firstCreation()
                && !state.current().joined()
                && state.current().firstJoin() != FirstJoin.BEFORE_CREATION;
    }

    /** A repair or rebuild gave the node the rows that it lacked. */
    void rowsStreamed() {
        if (state.current().firstJoin() == FirstJoin.UNSTREAMED) {
            state.change(state.current().withFirstJoin(FirstJoin.NONE));
            Log.info("the node was repaired or rebuilt after it joined without bootstrap");
        }
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
        if (OperatingMode.of(answer.mode()) != OperatingMode.NORMAL
                || !backoff.remaining().isZero()) {
            return false;
        }
        Optional<String> cause = attempt(answer.pid());
        if (cause.isPresent()) {
            backoff.ended(Duration.ZERO);
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
            return answer.status() == OK ? Optional.empty() : Optional.of(answer.error());
        } catch (IOException e) {
            return Optional.of(ThrowableText.of(e));
        }
    }

    /** Why clients cannot connect, or may read too little; empty if neither is known. */
    Optional<Problem> problem(NodeId node) {
        return failure != null
                ? Optional.of(failure)
                : state.current().firstJoin() == FirstJoin.UNSTREAMED
                        ? Optional.of(unstreamed(node))
                        : Optional.empty();
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
                "joined without bootstrap although the cluster was already created: it lacks the rows written before it"
                        + " joined",
                Advice.command("repair start " + node.cluster())
                        .suffix(", or rebuild the node from another datacenter; this message ends when a repair or"
                                + " rebuild of all tables of the node is done"));
    }
}
