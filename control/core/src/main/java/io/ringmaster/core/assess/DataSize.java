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

/** How much data nodes hold, as they tell themselves, in words for plans: what is expected to move, or to be read. */
public final class DataSize {
    private static final String UNKNOWN = "an amount that nobody tells now";

    private DataSize() {}

    /** Of all of them together; a node that does not tell now is named. */
    public static String text(View view, Collection<NodeRecord> nodes) {
        List<String> silent = nodes.stream()
                .filter(n -> bytes(view, n).isEmpty())
                .map(n -> n.id().shortName())
                .toList();
        if (silent.size() == nodes.size()) {
            return UNKNOWN;
        }
        String told = Size.text(told(view, nodes).sum());
        return silent.isEmpty() ? told : told + " and what is on " + String.join(", ", silent) + ", not heard now,";
    }

    public static String text(View view, NodeRecord node) {
        return text(view, List.of(node));
    }

    /** Of another datacenter's nodes together, as it last told. */
    public static String text(View view, ClusterName cluster, DatacenterName elsewhere) {
        LongSummaryStatistics told = view.lastPart(elsewhere, cluster).stream()
                .flatMap(p -> p.nodes().stream())
                .flatMap(n -> Stream.ofNullable(n.loadBytes()))
                .mapToLong(Long::longValue)
                .summaryStatistics();
        return told.getCount() == 0 ? UNKNOWN : Size.text(told.getSum());
    }

    /** A part of what they hold together, as far as they tell. */
    static String share(View view, Collection<NodeRecord> nodes, double share) {
        return told(view, nodes).findAny().isEmpty()
                ? UNKNOWN
                : Size.text(Math.round(share * told(view, nodes).sum()));
    }

    /** What a node that tells nothing will hold when it is built anew: as much as the others of its datacenter on average. */
    public static String likeTheOthers(View view, NodeRecord node) {
        List<NodeRecord> others = view.nodesOf(node.id().cluster()).stream()
                .filter(n -> !n.id().equals(node.id()))
                .toList();
        long telling = told(view, others).count();
        return telling == 0 ? UNKNOWN : share(view, others, 1.0 / telling);
    }

    private static LongStream told(View view, Collection<NodeRecord> nodes) {
        return nodes.stream().map(n -> bytes(view, n)).flatMapToLong(OptionalLong::stream);
    }

    /** Empty of a node that is not heard, or starts and does not know yet. */
    private static OptionalLong bytes(View view, NodeRecord node) {
        return view.status(node.id())
                .filter(s -> s.mode() == OperatingMode.NORMAL || s.mode() == OperatingMode.LEAVING)
                .map(NodeStatus::ring)
                .map(r -> OptionalLong.of(Objects.requireNonNull(r).loadBytes()))
                .orElse(OptionalLong.empty());
    }
}
