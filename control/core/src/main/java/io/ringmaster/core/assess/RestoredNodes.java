package io.ringmaster.core.assess;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RestoreOrigin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which node of a backup each new node takes the tokens and the data of. Racks are mapped one to one: only then has
 * each range the same replicas as in the backup, and one node's files are all that a node needs.
 */
public final class RestoredNodes {
    private final SortedMap<NodeId, RackName> racks = new TreeMap<>();
    private final Map<RackName, RackName> pairs = new TreeMap<>();
    private final Map<NodeId, RestoreOrigin.Node> sources = new TreeMap<>();
    private final List<RestoreOrigin.Node> all;
    private boolean fits = true;

    private RestoredNodes(List<RestoreOrigin.Node> all) {
        this.all = all;
    }

    /** The source of a node: the one whose tokens its record has, so that every later plan decides the same. */
    public static Optional<RestoreOrigin.Node> source(RestoreOrigin origin, NodeRecord node) {
        return origin.nodesOf(node.id().datacenter()).stream()
                .filter(s -> s.owns(node.tokens()))
                .findFirst();
    }

    /**
     * The sources of the nodes of one datacenter. Racks that no node here has tokens for yet are paired by size and
     * name, the largest first; in a rack the nodes are paired by index.
     *
     * @param existing nodes that have tokens
     * @param placed the racks of nodes that have none
     * @return empty if the racks do not map
     */
    public static Optional<Map<NodeId, RestoreOrigin.Node>> sources(
            RestoreOrigin origin, DatacenterName here, List<NodeRecord> existing, Map<NodeId, RackName> placed) {
        RestoredNodes nodes = new RestoredNodes(origin.nodesOf(here));
        nodes.racks.putAll(placed);
        existing.forEach(n -> nodes.racks.put(n.id(), n.rack()));
        existing.forEach(n -> nodes.keep(n, source(origin, n)));
        nodes.pairRacks();
        nodes.pairNodes();
        return nodes.fits ? Optional.of(nodes.sources) : Optional.empty();
    }

    private void keep(NodeRecord node, Optional<RestoreOrigin.Node> source) {
        RackName rack = source.map(RestoreOrigin.Node::rack).orElse(null);
        if (source.isEmpty() || rack == null) {
            fits = false;
            return;
        }
        RackName before = pairs.put(node.rack(), rack);
        fits &= before == null || before.equals(rack);
        sources.put(node.id(), source.get());
    }

    private void pairRacks() {
        List<RackName> mine = bySize(racks.values().stream().toList());
        List<RackName> theirs =
                bySize(all.stream().map(RestoreOrigin.Node::rack).toList());
        fits &= mine.size() == theirs.size() && Set.copyOf(pairs.values()).size() == pairs.size();
        List<RackName> open = new ArrayList<>(theirs);
        open.removeAll(pairs.values());
        for (RackName rack : mine) {
            if (!pairs.containsKey(rack) && !open.isEmpty()) {
                pairs.put(rack, open.remove(0));
            }
        }
    }

    /** Each rack once, the one with the most nodes first. */
    private static List<RackName> bySize(List<RackName> ofNodes) {
        Map<RackName, Integer> sizes = new TreeMap<>();
        ofNodes.forEach(r -> sizes.merge(r, 1, Integer::sum));
        return sizes.keySet().stream()
                .sorted(Comparator.comparing((RackName r) -> -sizes.getOrDefault(r, 0))
                        .thenComparing(r -> r))
                .toList();
    }

    private void pairNodes() {
        Set<NodeId> taken = new HashSet<>();
        sources.values().forEach(s -> taken.add(s.node()));
        racks.forEach((node, rack) -> {
            if (!sources.containsKey(node)) {
                all.stream()
                        .filter(s -> s.rack().equals(pairs.get(rack)) && !taken.contains(s.node()))
                        .findFirst()
                        .ifPresent(s -> {
                            taken.add(s.node());
                            sources.put(node, s);
                        });
            }
        });
        fits &= sources.size() == racks.size() && taken.size() == all.size();
    }
}
