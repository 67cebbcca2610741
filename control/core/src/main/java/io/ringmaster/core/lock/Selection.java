package io.ringmaster.core.lock;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.NodeRecord;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The nodes that a request names: those in all of the named datacenters, racks and nodes. An empty list selects
 * all.
 */
public record Selection(
        ClusterName cluster, List<DatacenterName> datacenters, List<RackName> racks, List<NodeId> nodes) {
    public static final String DATACENTER = "dc";
    public static final String RACK = "rack";
    public static final String NODE = "node";

    public Selection {
        datacenters = List.copyOf(datacenters);
        racks = List.copyOf(racks);
        nodes = List.copyOf(nodes);
    }

    /**
     * @param params {@code dc}, {@code rack} and {@code node}, each one or several values separated by commas;
     *     others are ignored
     * @throws IllegalArgumentException if a value is malformed; the message names it
     */
    public static Selection of(ClusterName cluster, Map<String, String> params) {
        return new Selection(
                cluster,
                list(params, DATACENTER, DatacenterName::new),
                list(params, RACK, RackName::new),
                list(params, NODE, text -> node(cluster, text)));
    }

    /** Whether the selection may contain nodes of this datacenter. */
    public boolean concerns(DatacenterName datacenter) {
        return (datacenters.isEmpty() || datacenters.contains(datacenter))
                && (nodes.isEmpty()
                        || nodes.stream().anyMatch(n -> n.datacenter().equals(datacenter)));
    }

    /** The selected nodes of the deciding datacenter, by index. */
    public List<NodeRecord> in(View view) {
        return view.nodesOf(cluster).stream().filter(this::includes).toList();
    }

    private boolean includes(NodeRecord node) {
        return concerns(node.id().datacenter())
                && (racks.isEmpty() || racks.contains(node.rack()))
                && (nodes.isEmpty() || nodes.contains(node.id()));
    }

    /** Whether one node may be in both. This does not look at the nodes, so that all servers decide alike. */
    boolean mayOverlap(Selection other) {
        return !apart(datacenters, other.datacenters)
                && !apart(racks, other.racks)
                && !apart(nodes, other.nodes)
                && !elsewhere(nodes, other.datacenters)
                && !elsewhere(other.nodes, datacenters);
    }

    private static boolean apart(Collection<?> one, Collection<?> other) {
        return !one.isEmpty() && !other.isEmpty() && one.stream().noneMatch(other::contains);
    }

    private static boolean elsewhere(List<NodeId> nodes, List<DatacenterName> datacenters) {
        return apart(nodes.stream().map(NodeId::datacenter).toList(), datacenters);
    }

    private static NodeId node(ClusterName cluster, String text) {
        boolean brief = text.indexOf('/') == text.lastIndexOf('/');
        NodeId node = NodeId.of(brief ? cluster + "/" + text : text);
        if (!node.cluster().equals(cluster)) {
            throw new IllegalArgumentException("node '" + text + "' is none of " + cluster);
        }
        return node;
    }

    private static <T> List<T> list(Map<String, String> params, String name, Function<String, T> parse) {
        String text = params.getOrDefault(name, "");
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(",", -1))
                        .map(String::strip)
                        .map(parse)
                        .distinct()
                        .toList();
    }
}
