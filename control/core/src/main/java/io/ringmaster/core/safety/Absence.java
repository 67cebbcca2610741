package io.ringmaster.core.safety;

import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView.PeerSeen;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.record.NodeRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How long nodes are away. The record says when a node was last seen up; what is stored is older than the truth by at
 * most a sixth of the hint window. A node that was not seen for longer was away, unless it ran all the time and nobody
 * missed it: then it was the servers that could not look.
 */
public final class Absence {
    private static final Duration HINT_WINDOW = Duration.ofHours(3);
    private static final Duration GC_GRACE = Duration.ofDays(10);

    /** How often the time is stored. Each time is a write per node. */
    private static final Duration MOST = Duration.ofMinutes(30);

    private static final Duration LEAST = Duration.ofMinutes(1);
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(d|h|m|s|ms)");

    private Absence() {}

    /**
     * The record as it follows from what is seen now. After a hint window nobody keeps further writes for a node, so
     * one that was away for longer owes a repair. So does one that was last seen in the future: the clock was set back,
     * and nobody knows for how long it was away.
     */
    public static NodeRecord observed(View view, NodeRecord node) {
        if (!node.joined() || node.leaving()) {
            return node;
        }
        Instant now = view.now().truncatedTo(ChronoUnit.SECONDS);
        long gcGrace = gcGrace(view, node);
        boolean up = isUp(view, node);
        if (node.lastUp() == null) {
            return up ? node.seenUp(now, gcGrace) : node;
        }
        Duration window = hintWindow(view, node.cluster());
        Duration pause = min(MOST, max(LEAST, window.dividedBy(6)));
        Duration since = Duration.between(node.lastUp(), now);
        boolean isLater = since.compareTo(pause) >= 0;
        if (!up) {
            return isLater && !node.seenDown() && isMissed(view, node, pause) ? node.withSeenDown() : node;
        }
        boolean setBack = since.plus(pause).isNegative();
        boolean unseen = since.compareTo(max(window, pause.multipliedBy(2))) > 0;
        if (unseen && !node.seenDown() && ownReport(view, node).isEmpty()) {
            return node; // only the node itself knows whether it ran all the time
        }
        boolean away = setBack || (unseen && (node.seenDown() || !ranSince(view, node, node.lastUp())));
        boolean due = away || isLater || node.seenDown() || gcGrace != node.gcGraceSeconds();
        NodeRecord seen = due ? node.seenUp(now, gcGrace) : node;
        return away ? seen.owing(view.now()) : seen;
    }

    /** Whether other nodes see it down, or this server has waited in vain for its report for this time. */
    private static boolean isMissed(View view, NodeRecord node, Duration time) {
        Observation<NodeStatus> report = view.statuses().get(node.id());
        boolean silent = report != null
                && report.silence() != null
                && !report.at().plus(time).isAfter(view.now());
        return silent || LostNode.isSeenDown(view, node);
    }

    private static Optional<NodeStatus> ownReport(View view, NodeRecord node) {
        return view.status(node.id()).filter(s -> s.mode() == OperatingMode.NORMAL);
    }

    /** Whether the running daemon was NORMAL at this time already, by its own report. */
    private static boolean ranSince(View view, NodeRecord node, Instant time) {
        return ownReport(view, node)
                .map(s -> s.stages().get(Stage.JOINED))
                .filter(at -> !at.isAfter(time))
                .isPresent();
    }

    /** Whether the node serves, or another node sees that it does. */
    public static boolean isUp(View view, NodeRecord node) {
        return ownReport(view, node).isPresent() || LostNode.seenBy(view, node).anyMatch(PeerSeen::isNormal);
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

    /** For how long others keep writes for a node that is away. */
    static Duration hintWindow(View view, ClusterName cluster) {
        Map<String, Object> yaml =
                view.targetSpec(cluster).map(s -> s.spec().cassandraYaml()).orElse(Map.of());
        if ("false".equals(String.valueOf(yaml.get("hinted_handoff_enabled")))) {
            return Duration.ZERO;
        }
        Object millis = yaml.get("max_hint_window_in_ms"); // its name before Cassandra 4.1
        Object declared = millis == null ? yaml.get("max_hint_window") : millis + "ms";
        Matcher time = TIME.matcher(String.valueOf(declared));
        if (!time.matches()) {
            return HINT_WINDOW;
        }
        long count = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "d" -> Duration.ofDays(count);
            case "h" -> Duration.ofHours(count);
            case "m" -> Duration.ofMinutes(count);
            case "s" -> Duration.ofSeconds(count);
            default -> Duration.ofMillis(count);
        };
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private static Duration max(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
