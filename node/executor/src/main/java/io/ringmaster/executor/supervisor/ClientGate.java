package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NodeAnswer;
import io.ringmaster.executor.daemon.DaemonStateFile;
import io.ringmaster.executor.log.Log;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens CQL once the cluster is complete. Until then nodes join without bootstrap, and a row that a client wrote would
 * be missing on them.
 */
final class ClientGate {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;

    private final CompanionClient companion;
    private final DaemonStateFile state;

    ClientGate(CompanionClient companion, DaemonStateFile state) {
        this.companion = companion;
        this.state = state;
    }

    /**
     * Whether the daemon runs without bootstrap and has not joined, although the cluster may hold data by now. It must
     * start again, with bootstrap.
     */
    boolean mustBootstrap(NodeTarget target) {
        return state.current().awaitsClients() && !state.current().joined() && !target.firstCreation();
    }

    /** Whether the daemon serves, and the target now allows clients that it was started without. */
    boolean isOpening(NodeTarget target, NodeAnswer answer) {
        return state.current().awaitsClients()
                && !target.firstCreation()
                && OperatingMode.of(answer.mode()) == OperatingMode.NORMAL;
    }

    /** @return why the daemon could not be opened */
    Optional<Problem> open(NodeTarget target, NodeAnswer answer) throws IOException {
        if (!answer.cql() && isWanted(target)) {
            Optional<String> failure = failure(answer.pid());
            if (failure.isPresent()) {
                Log.info("CQL cannot be opened: " + failure.get());
                return Optional.of(new Problem(
                        ErrorCode.EXECUTOR_FAILED,
                        null,
                        "CQL cannot be opened: " + failure.get(),
                        "see the node's log; the executor tries again"));
            }
            Log.info("the cluster is complete: clients may connect");
        }
        state.write(state.current().opened());
        return Optional.empty();
    }

    private Optional<String> failure(long daemonPid) {
        try {
            CompanionClient.Answer answer =
                    companion.call(daemonPid, "POST /clients/open", new byte[0], ANSWER_TIMEOUT);
            return answer.status() == OK ? Optional.empty() : Optional.of(answer.body());
        } catch (IOException e) {
            return Optional.of(e.toString());
        }
    }

    private static boolean isWanted(NodeTarget target) {
        return !Boolean.FALSE.equals(target.cassandraYaml().get("start_native_transport"));
    }
}
