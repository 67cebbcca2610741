package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Executors and servers of earlier releases skip the fields for TLS that they do not know. An executor of one must not
 * receive a target with TLS, because it would start its node in clear text. One that was put back, or got its target
 * from such a server, keeps a target without that TLS, and needs it again.
 */
public final class ClearTextCheck {
    private static final String BETWEEN_NODES = "TLS between nodes";
    private static final String FOR_CLIENTS = "TLS for CQL clients";

    private ClearTextCheck() {}

    /**
     * Whether the command is a target to run with TLS, and the executor does not report that it knows TLS. {@code
     * Recovery} sends the target again once it does.
     */
    public static boolean forbids(View view, Command command) {
        return command instanceof Command.Apply apply
                && apply.target().run()
                && unknown(apply.target().tls(), view.status(apply.target().node()))
                        .isPresent();
    }

    /** The kind of TLS that the target asks for, and that the executor does not know. */
    private static Optional<String> unknown(@Nullable TlsSpec wanted, Optional<NodeStatus> status) {
        if (wanted == null) {
            return Optional.empty();
        }
        Optional<TlsStatus> known = status.map(NodeStatus::tls);
        if (wanted.internode() == TlsMode.REQUIRED && known.isEmpty()) {
            return Optional.of(BETWEEN_NODES);
        }
        return wanted.encryptsCql() && known.filter(TlsStatus::knowsCql).isEmpty()
                ? Optional.of(FOR_CLIENTS)
                : Optional.empty();
    }

    /**
     * The kind of TLS that the executor of the node does not know, although its spec asks for it and it follows a
     * target.
     */
    public static Optional<String> unknown(View view, NodeRecord node) {
        Optional<NodeStatus> status = view.status(node.id()).filter(s -> s.generation() > 0);
        return status.isEmpty() ? Optional.empty() : unknown(wanted(view, node), status);
    }

    /**
     * The kind of TLS that the target lacks which the executor follows. Its generation is the newest, so an earlier
     * release made or kept it.
     */
    public static Optional<String> missing(View view, NodeRecord node) {
        TlsSpec wanted = wanted(view, node);
        TlsSpec followed = view.status(node.id())
                .filter(s -> s.generation() == node.generation())
                .map(NodeStatus::tls)
                .map(TlsStatus::target)
                .orElse(null);
        if (wanted == null || followed == null || !followed.isWeakerThan(wanted)) {
            return Optional.empty();
        }
        return Optional.of(followed.internode() == wanted.internode() ? FOR_CLIENTS : BETWEEN_NODES);
    }

    /**
     * Whether a target with TLS for clients restarts the node while the others talk to it. One that lacks TLS between
     * nodes is outside of a ring that has it, and a ring that lacks it cannot change node by node.
     */
    static boolean restartsForClients(View view, NodeRecord node) {
        return missing(view, node).filter(FOR_CLIENTS::equals).isPresent();
    }

    /** Whether the target is to be sent again now. One that would restart the node waits for the end of its task. */
    public static boolean needsTargetAgain(View view, NodeRecord node) {
        return missing(view, node)
                .filter(kind -> node.task() == null || !kind.equals(FOR_CLIENTS))
                .isPresent();
    }

    /**
     * The TLS with which the node runs, if its executor refuses the newest target because it has less: an earlier
     * release has stored a spec without it.
     */
    public static Optional<TlsSpec> refusedFor(View view, NodeRecord node) {
        TlsSpec wanted = Optional.ofNullable(wanted(view, node)).orElse(TlsSpec.OFF);
        return view.status(node.id())
                .filter(s -> s.generation() < node.generation())
                .map(NodeStatus::tls)
                .map(TlsStatus::target)
                .filter(wanted::isWeakerThan);
    }

    /** That the executor refuses its newest target, and the next step. */
    public static Optional<Problem> refusal(View view, NodeRecord node) {
        return refusedFor(view, node)
                .map(tls -> Problem.of(
                        ErrorCode.EXECUTOR_FAILED,
                        "refuses its newest target, whose TLS is weaker: a server of an earlier release dropped it from"
                                + " the spec",
                        "apply the spec with tls: " + tls.text()));
    }

    private static @Nullable TlsSpec wanted(View view, NodeRecord node) {
        return view.spec(node.cluster(), node.specVersion())
                .map(s -> s.spec().tls())
                .orElse(null);
    }

    /** Why the executor, which answers, does not receive the newest target of its node, and the next step. */
    public static Optional<String> whyNotSent(View view, NodeRecord node) {
        Optional<NodeStatus> status = view.status(node.id()).filter(s -> s.generation() < node.generation());
        return status.flatMap(s -> unknown(wanted(view, node), status).map(kind -> Problem.of(
                                ErrorCode.EXECUTOR_FAILED,
                                node.id().shortName() + ": its executor (pid " + s.executorPid()
                                        + ") is of an earlier release, which does not know " + kind
                                        + " and would start it in clear text",
                                update(node))
                        .line()))
                .or(() -> refusal(view, node).map(p -> node.id().shortName() + " " + p.line()));
    }

    /** The next step for an executor of an earlier release. */
    public static String update(NodeRecord node) {
        return "update the executor's program on " + node.allocation().machine()
                + ", or in the pool's image, and end this executor: the next one gets the target";
    }
}
