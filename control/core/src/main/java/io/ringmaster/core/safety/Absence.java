package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.RingView.PeerSeen;
import io.ringmaster.model.record.NodeRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long nodes are away. The record says when a node was last seen up, so that time in which no server could look
 * counts as time away: whatever the node says of itself, nobody knows whether others reached it. What is stored is
 * older than the truth by at most a sixth of the hint window.
 */
public final class Absence {
    private static final Duration GC_GRACE = Duration.ofDays(10);

    /** How often the time is stored. Each time is a write per node. */
    private static final Duration MOST = Duration.ofMinutes(30);

    private static final Duration LEAST = Duration.ofMinutes(1);

    private Absence() {}

    /**
     * The record of a node that others reach. After a hint window nobody keeps further writes for a node, so one that
     * was away for longer owes a repair. So does one that was last seen in the future: the clock was set back, and
     * nobody knows for how long it was away.
     */
    public static NodeRecord observed(View view, NodeRecord node) {
        if (!node.joined() || node.leaving() || !isReached(view, node)) {
            return node;
        }
        Instant now = view.now().truncatedTo(ChronoUnit.SECONDS);
        long gcGrace = gcGrace(view, node);
        Instant lastUp = node.lastUp();
        if (lastUp == null) {
            return node.seenUp(now, gcGrace);
        }
        HintWindow window = HintWindow.of(view, node);
        Duration pause = pause(window.now());
        Duration since = Duration.between(lastUp, now);
        Duration kept = window.since(lastUp);
        boolean setBack = since.plus(pause).isNegative();
        boolean away = setBack || since.compareTo(max(kept, pause(kept).multipliedBy(2))) > 0;
        boolean due = away
                || since.compareTo(pause) >= 0
                || window.isShortenedAfter(lastUp)
                || gcGrace != node.gcGraceSeconds();
        NodeRecord seen = due ? node.seenUp(now, gcGrace) : node;
        return away ? seen.owing(view.now()) : seen;
    }

    /**
     * Whether another node sees it NORMAL, or it says so itself, no other sees it down, and it sees another one: a node
     * that is cut off from all others, together with the server, is NORMAL by its own report.
     */
    private static boolean isReached(View view, NodeRecord node) {
        boolean byItself = ownReport(view, node)
                .filter(s -> !LostNode.isSeenDown(view, node) && seesAnother(s.ring()))
                .isPresent();
        return byItself || LostNode.seenByOthers(view, node).anyMatch(PeerSeen::isNormal);
    }

    private static boolean seesAnother(@Nullable RingView ring) {
        return ring == null
                || ring.members().stream().allMatch(m -> ring.hostId().equals(m.hostId()))
                || ring.members().stream()
                        .anyMatch(m -> m.alive() && !ring.hostId().equals(m.hostId()));
    }

    private static Optional<NodeStatus> ownReport(View view, NodeRecord node) {
        return view.status(node.id()).filter(s -> s.mode() == OperatingMode.NORMAL);
    }

    /** Whether the node serves, or another node sees that it does. */
    public static boolean isUp(View view, NodeRecord node) {
        return ownReport(view, node).isPresent()
                || LostNode.seenByOthers(view, node).anyMatch(PeerSeen::isNormal);
    }

    /** After this time away, rows that were deleted meanwhile could return with a node. */
    public static Duration smallestGcGrace(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .mapToLong(NodeRecord::gcGraceSeconds)
                .filter(seconds -> seconds > 0)
                .mapToObj(Duration::ofSeconds)
                .min(Duration::compareTo)
                .orElse(GC_GRACE);
    }

    /** As the node reports it now or reported it last. */
    private static long gcGrace(View view, NodeRecord node) {
        return view.status(node.id()).map(NodeStatus::ring).stream()
                .flatMap(r -> r.keyspaces().stream())
                .flatMap(k -> Stream.ofNullable(k.gcGraceSeconds()))
                .mapToLong(Long::longValue)
                .min()
                .orElse(node.gcGraceSeconds());
    }

    /** How often the time is stored, for a hint window. */
    private static Duration pause(Duration window) {
        return min(MOST, max(LEAST, window.dividedBy(6)));
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
