package io.ringmaster.core.target;

import io.ringmaster.core.spec.SpecDiff;
import io.ringmaster.core.spec.SpecDiff.Change;
import io.ringmaster.core.spec.SpecDiff.Change.Effect;
import io.ringmaster.core.view.View;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a new spec does to one node, for the plan to say before it is done: {@code live} or {@code restart}, and why. */
public final class NodeChange {
    private static final String LIVE = "live: ";

    private NodeChange() {}

    /** Whether what {@link #of} says is done without a restart. */
    public static boolean isLive(String change) {
        return change.startsWith(LIVE);
    }

    public static String of(View view, NodeRecord node, ClusterSpec spec) {
        if (!node.launched()) {
            return "start: it is new";
        }
        Optional<NodeStatus> status = view.status(node.id());
        if (status.isEmpty()) {
            return "restart, unless it runs and takes all of it live: it is not heard now";
        }
        if (status.get().mode() != OperatingMode.NORMAL) {
            return "restart: it is " + status.get().mode();
        }
        Optional<SpecRecord> has = view.spec(node.id().cluster(), status.get().appliedSpecVersion());
        if (has.isEmpty()) {
            return "restart: the version that it runs with is not in the store any more";
        }
        List<Change> changes = SpecDiff.between(has.get().spec(), spec).ofNode();
        List<Change> restarts =
                changes.stream().filter(c -> c.effect() == Effect.RESTART).toList();
        if (!restarts.isEmpty()) {
            return "restart: " + lines(restarts);
        }
        return changes.isEmpty() ? LIVE + "nothing changes for it" : LIVE + lines(changes);
    }

    private static String lines(List<Change> changes) {
        return changes.stream()
                .map(c -> c.line() + (isRemovedSetting(c) ? " (its default is not known while Cassandra runs)" : ""))
                .collect(Collectors.joining(", "));
    }

    private static boolean isRemovedSetting(Change change) {
        return change.effect() == Effect.RESTART && change.after() == null && change.isLiveOtherwise();
    }
}
