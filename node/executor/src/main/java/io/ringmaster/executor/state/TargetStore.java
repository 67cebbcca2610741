package io.ringmaster.executor.state;

import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.DurableFiles;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.TaskSecrets;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The target in force. A new target is on disk before it is in force; there is none before the first one arrives. A
 * target on disk that was out of date when the executor was launched is not in force either: a node that was stopped
 * meanwhile would start again.
 */
public final class TargetStore {
    private final NodeFiles files;
    private final NodeId node;
    private final Runnable onChange;
    private final long newest;
    private @Nullable NodeTarget last;
    private @Nullable TaskSecrets secrets;

    /** Whatever target is on disk is in force. */
    public TargetStore(NodeFiles files, NodeId node, Runnable onChange) throws IOException {
        this(files, node, onChange, 0);
    }

    /**
     * Reads the last target. A damaged one is kept aside: the servers know the target too and send it again.
     *
     * @param newest a target of an older generation is out of date
     * @throws IOException the target on disk cannot be read, or is for another node
     */
    public TargetStore(NodeFiles files, NodeId node, Runnable onChange, long newest) throws IOException {
        this.files = files;
        this.node = node;
        this.onChange = onChange;
        this.newest = newest;
        NodeTarget onDisk = RecordFile.read(
                        files.target(), json -> Json.parse(json, NodeTarget.class), "a server sends the target again")
                .orElse(null);
        if (onDisk != null && !onDisk.node().equals(node)) {
            throw new IOException(files.allocation() + " holds the node " + onDisk.node() + ", but --node is " + node
                    + "; start it with the --directory of " + node + ", or with --node " + onDisk.node());
        }
        this.last = onDisk;
    }

    public NodeId node() {
        return node;
    }

    /** What the server sent beside the last target. It is never on disk. */
    public synchronized @Nullable TaskSecrets secrets() {
        return secrets;
    }

    /**
     * As {@link #accept(NodeTarget)}, with what the task of the target needs and nobody stores.
     *
     * @throws IOException the target could not be stored; the former one and its secrets are in force
     */
    public synchronized Optional<Problem> accept(NodeTarget target, @Nullable TaskSecrets beside) throws IOException {
        Optional<Problem> refusal = accept(target); // one that cannot be stored brings no secrets either
        if (refusal.isEmpty()) {
            boolean first = beside != null && secrets == null;
            secrets = beside;
            if (first) {
                onChange.run();
            }
        }
        return refusal;
    }

    /** Empty until the first target arrives, and while the one on disk is out of date. */
    public synchronized Optional<NodeTarget> current() {
        return Optional.ofNullable(last).filter(target -> target.generation() >= newest);
    }

    /** That of the last target, in force or out of date; 0 before the first. */
    public synchronized long generation() {
        NodeTarget known = last;
        return known == null ? 0 : known.generation();
    }

    /**
     * Accepts a target unless it is for another node, or older than the one in force or than the launch of this
     * executor; an equal target changes nothing. A target of the generation in force is also refused if it sets {@code
     * firstCreation} to true again. Two leaders can send the same generation, and the one that does not know yet that
     * another datacenter is complete would let the node join without bootstrap although clients may have written.
     * A target with weaker TLS, or without the logins of a created cluster, is refused: no spec may weaken them, so the
     * server does not know all of it.
     */
    public synchronized Optional<Problem> accept(NodeTarget target) throws IOException {
        if (!target.node().equals(node)) {
            return Optional.of(new Problem(
                    ErrorCode.NODE_UNKNOWN,
                    "node",
                    "is " + target.node() + ", but this executor runs " + node,
                    "send it to the executor of " + target.node()));
        }
        NodeTarget before = last;
        if (target.generation() < newest) {
            return Optional.of(new Problem(
                    ErrorCode.VERSION_CONFLICT,
                    "generation",
                    target.generation() + " is older than " + newest + ", with which this executor was launched",
                    "read the status and decide again"));
        }
        if (before != null && target.generation() < before.generation()) {
            return Optional.of(new Problem(
                    ErrorCode.VERSION_CONFLICT,
                    "generation",
                    target.generation() + " is older than " + before.generation() + ", which is in force",
                    "read the status and decide again"));
        }
        if (before != null
                && target.generation() == before.generation()
                && target.firstCreation()
                && !before.firstCreation()) {
            return Optional.of(new Problem(
                    ErrorCode.VERSION_CONFLICT,
                    "firstCreation",
                    "is true again in generation " + target.generation() + ", although the cluster may hold data",
                    "read the status and decide again"));
        }
        if (before != null && target.wantedTls().isWeakerThan(before.wantedTls())) {
            return Optional.of(new Problem(
                    ErrorCode.VERSION_CONFLICT,
                    "tls",
                    target.wantedTls().text() + " is weaker than "
                            + before.wantedTls().text()
                            + ", with which this node runs: the server that sends it may be of an earlier release,"
                            + " which does not know the rest",
                    "update that server; if it has stored a spec meanwhile, apply the spec with tls: "
                            + before.wantedTls().text()));
        }
        if (before != null && !target.firstCreation() && requiresLogin(before) && !requiresLogin(target)) {
            return Optional.of(new Problem(
                    ErrorCode.VERSION_CONFLICT,
                    "cassandraYaml.role_manager",
                    "would let every client in, but this node runs with logins: the server that sends it may be of an"
                            + " earlier release",
                    "update that server; if it has stored a spec meanwhile, apply the spec with roles"));
        }
        Optional<Problem> unusable = Configurations.problem(target);
        if (unusable.isPresent()) {
            return unusable;
        }
        if (!target.equals(before)) {
            DurableFiles.write(files.target(), Json.text(target));
            last = target;
            onChange.run();
        }
        return Optional.empty();
    }

    /** Whether clients must log in with a role of the spec, whose roles a target does not have. */
    private static boolean requiresLogin(NodeTarget target) {
        return String.valueOf(target.cassandraYaml().get("role_manager")).contains("DeclaredRoleManager");
    }
}
