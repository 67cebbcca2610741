package io.ringmaster.core;

import io.ringmaster.core.view.Observation;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeStatusBuilder;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.node.VolumeUse;
import io.ringmaster.model.record.NodeRecord;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the executors here report of their nodes, and which of them do not answer. */
final class ReportScene {
    private final TreeMap<NodeId, Observation<NodeStatus>> statuses = new TreeMap<>();

    /** What gossip shows of a node that reports something else. */
    private final TreeMap<NodeId, NodeStatus> seenAs = new TreeMap<>();

    private final RingScene ring;

    /** @param ring what a NORMAL node reports in addition */
    ReportScene(RingScene ring) {
        this.ring = ring;
    }

    /** The executor has the newest target, and the daemon runs with it. */
    void says(NodeRecord node, OperatingMode mode) {
        says(node.id(), mode, node.generation(), node.specVersion(), 0);
    }

    void says(NodeId node, OperatingMode mode, long generation, long appliedSpecVersion, int exits) {
        Problem problem = exits == 0 ? null : Problem.of(ErrorCode.DAEMON_FAILED, "bad option");
        says(node, mode, generation, appliedSpecVersion, exits, problem);
    }

    /** The executor has the newest target, and reports this problem. */
    void problem(NodeRecord node, OperatingMode mode, Problem problem) {
        says(node.id(), mode, node.generation(), node.specVersion(), 0, problem);
    }

    /** Its companion stops to answer, and the other nodes still see it alive. */
    void pauses(NodeId node, OperatingMode mode) {
        NodeStatus before = Objects.requireNonNull(statuses.get(node).last());
        seenAs.put(node, before);
        says(node, mode, before.generation(), before.appliedSpecVersion(), 0);
    }

    /** The daemon serves on with an older version, since it did not take the newest live. */
    void refuses(NodeRecord node, long runningVersion) {
        Problem refusal = new Problem(
                ErrorCode.CONFIGURATION_REJECTED, "cassandra_yaml.concurrent_compactors", "is refused", (Advice) null);
        says(node.id(), OperatingMode.NORMAL, node.generation(), runningVersion, 0, refusal);
    }

    /** A daemon that is starting and has read neither schema nor ring yet. */
    void knowsNothingYet(NodeRecord node) {
        says(node, OperatingMode.STARTING);
        statuses.computeIfPresent(node.id(), (id, s) -> new Observation<>(ring.blank(s.last()), s.at(), s.silence()));
    }

    /** Reports the servers that it asks for its seeds. */
    void asks(NodeId node, List<String> urls) {
        change(node, s -> NodeStatusBuilder.builder(s).seedProviderUrls(urls).build());
    }

    /** Reports this start of its daemon. */
    void starts(NodeId node, Instant at) {
        change(node, s -> NodeStatusBuilder.builder(s)
                .stages(Map.of(Stage.DAEMON, at))
                .build());
    }

    /** Reports these keys and certificates. */
    void tls(NodeId node, TlsStatus tls) {
        change(node, s -> NodeStatusBuilder.builder(s).tls(tls).build());
    }

    /** Reports this use of its volume. */
    void volume(NodeId node, VolumeUse use) {
        change(node, s -> NodeStatusBuilder.builder(s).volume(use).build());
    }

    /** Reports this state of its transfer. */
    void transfers(NodeId node, TaskStatus transfer) {
        change(node, s -> NodeStatusBuilder.builder(s).transfer(transfer).build());
    }

    private void change(NodeId node, UnaryOperator<NodeStatus> how) {
        statuses.computeIfPresent(
                node, (id, s) -> new Observation<>(how.apply(Objects.requireNonNull(s.last())), s.at(), s.silence()));
    }

    void silent(NodeId node) {
        Observation<NodeStatus> known = statuses.get(node);
        statuses.put(node, new Observation<>(known == null ? null : known.last(), Scene.NOW, "connection refused"));
    }

    void unheard(NodeId node) {
        statuses.remove(node);
    }

    /** The reports, those of NORMAL nodes with what they see of the ring. */
    Map<NodeId, Observation<NodeStatus>> observed(Collection<NodeRecord> nodes) {
        TreeMap<NodeId, Observation<NodeStatus>> observed = new TreeMap<>();
        statuses.forEach(
                (id, s) -> observed.put(id, new Observation<>(withRing(s.last(), nodes), s.at(), s.silence())));
        return observed;
    }

    private @Nullable NodeStatus withRing(@Nullable NodeStatus status, Collection<NodeRecord> nodes) {
        if (status == null || (status.mode() != OperatingMode.NORMAL && !ring.reportsAccess(status.node()))) {
            return status;
        }
        return ring.toldBy(
                status,
                nodes.stream()
                        .filter(n -> statuses.containsKey(n.id()))
                        .map(n -> RingScene.seen(
                                n,
                                seenAs.getOrDefault(n.id(), statuses.get(n.id()).last()))));
    }

    private void says(
            NodeId node,
            OperatingMode mode,
            long generation,
            long appliedSpecVersion,
            int exits,
            @Nullable Problem problem) {
        NodeStatus status = new NodeStatus(
                node,
                generation,
                appliedSpecVersion,
                0,
                mode,
                "doing things",
                Scene.NOW,
                Map.of(),
                1,
                2L,
                exits,
                problem,
                null,
                null,
                Map.of());
        statuses.put(node, new Observation<>(status, Scene.NOW, null));
    }
}
