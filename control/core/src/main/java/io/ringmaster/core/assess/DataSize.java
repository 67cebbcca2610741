package io.ringmaster.core.assess;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.Size;
import java.util.Collection;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** How much data nodes hold, as they report it, in words for plans: what a plan is expected to move or read. */
public final class DataSize {
    private static final String UNKNOWN = "an unknown amount";

    private DataSize() {}

    /** The sum over nodes; nodes that do not report now are named. */
    public static String text(View view, Collection<NodeRecord> nodes) {
        List<String> unknown = nodes.stream()
                .filter(n -> bytes(view, n).isEmpty())
                .map(n -> n.id().shortName())
                .toList();
        if (unknown.size() == nodes.size()) {
            return UNKNOWN;
        }
        String known = Size.text(reported(view, nodes).sum());
        return unknown.isEmpty() ? known : known + " plus " + UNKNOWN + " on " + String.join(", ", unknown);
    }

    public static String text(View view, NodeRecord node) {
        return text(view, List.of(node));
    }

    /** The sum over another datacenter's nodes, by its last report. */
    public static String text(View view, ClusterName cluster, DatacenterName elsewhere) {
        LongSummaryStatistics bytes = view.lastPart(elsewhere, cluster).stream()
                .flatMap(p -> p.nodes().stream())
                .flatMap(n -> Stream.ofNullable(n.loadBytes()))
                .mapToLong(Long::longValue)
                .summaryStatistics();
        return bytes.getCount() == 0 ? UNKNOWN : Size.text(bytes.getSum());
    }

    /** A share of the sum over nodes, as far as they report. */
    static String share(View view, Collection<NodeRecord> nodes, double share) {
        return reported(view, nodes).findAny().isEmpty()
                ? UNKNOWN
                : Size.text(Math.round(share * reported(view, nodes).sum()));
    }

    /**
     * The expected size of a node that is rebuilt and reports nothing: the average of the other nodes of its
     * datacenter.
     */
    public static String averageOfOthers(View view, NodeRecord node) {
        List<NodeRecord> others = view.nodesOf(node.id().cluster()).stream()
                .filter(n -> !n.id().equals(node.id()))
                .toList();
        long count = reported(view, others).count();
        return count == 0 ? UNKNOWN : share(view, others, 1.0 / count);
    }

    private static LongStream reported(View view, Collection<NodeRecord> nodes) {
        return nodes.stream().map(n -> bytes(view, n)).flatMapToLong(OptionalLong::stream);
    }

    /** Empty for a node that does not report, or starts and does not know its size yet. */
    private static OptionalLong bytes(View view, NodeRecord node) {
        return view.status(node.id())
                .filter(s -> s.mode() == OperatingMode.NORMAL || s.mode() == OperatingMode.LEAVING)
                .map(NodeStatus::ring)
                .map(r -> OptionalLong.of(Objects.requireNonNull(r).loadBytes()))
                .orElse(OptionalLong.empty());
    }
}
