package io.ringmaster.core.desired;

import io.ringmaster.core.spec.SpecDiff;
import io.ringmaster.core.spec.SpecDiff.Change;
import io.ringmaster.core.spec.SpecDiff.Change.Effect;
import io.ringmaster.core.view.View;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.NodeChangeKind;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Optional;

/**
 * The effect of a new spec on one node, which a plan shows before it runs.
 *
 * @param lines the changed settings or, where no setting decides, the reason; at least one
 */
public record NodeChange(NodeChangeKind kind, List<String> lines) {
    public NodeChange {
        lines = List.copyOf(lines);
    }

    private NodeChange(NodeChangeKind kind, String line) {
        this(kind, List.of(line));
    }

    /** The effect of {@code spec} on the node as it is now. */
    public static NodeChange of(View view, NodeRecord node, ClusterSpec spec) {
        if (!node.launched()) {
            return new NodeChange(NodeChangeKind.START, "it is new");
        }
        Optional<NodeStatus> status = view.status(node.id());
        if (status.isEmpty()) {
            return new NodeChange(NodeChangeKind.UNKNOWN, "its executor does not answer");
        }
        if (status.get().mode() != OperatingMode.NORMAL) {
            return new NodeChange(
                    NodeChangeKind.RESTART, "it is " + status.get().mode());
        }
        long applied = status.get().appliedSpecVersion();
        Optional<SpecRecord> has = view.spec(node.id().cluster(), applied);
        if (has.isEmpty()) {
            return new NodeChange(
                    NodeChangeKind.RESTART, "version " + applied + ", which it runs, is not in the store");
        }
        List<Change> changes = SpecDiff.between(has.get().spec(), spec).ofNode();
        List<Change> restarts =
                changes.stream().filter(c -> c.effect() == Effect.RESTART).toList();
        if (!restarts.isEmpty()) {
            return new NodeChange(NodeChangeKind.RESTART, lines(restarts));
        }
        return changes.isEmpty()
                ? new NodeChange(NodeChangeKind.LIVE, "nothing changes for it")
                : new NodeChange(NodeChangeKind.LIVE, lines(changes));
    }

    /** Whether the change certainly needs no restart. */
    public boolean isLive() {
        return kind == NodeChangeKind.LIVE;
    }

    /** For people: {@code restart: cassandra_yaml.concurrent_reads: (none) -> 8}. */
    public String text() {
        return label() + ": " + String.join(", ", lines);
    }

    private String label() {
        return switch (kind) {
            case START -> "start";
            case LIVE -> "live";
            case RESTART -> "restart";
            case UNKNOWN -> "restart, unless the node runs and takes every change live";
        };
    }

    private static List<String> lines(List<Change> changes) {
        return changes.stream()
                .map(c -> c.line() + (isRemovedSetting(c) ? " (its default is not known while Cassandra runs)" : ""))
                .toList();
    }

    private static boolean isRemovedSetting(Change change) {
        return change.effect() == Effect.RESTART && change.after() == null && change.isLiveOtherwise();
    }
}
