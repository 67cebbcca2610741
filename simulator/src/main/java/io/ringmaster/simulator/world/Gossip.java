package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Which nodes find each other. Those that do, directly or by way of others, are in one ring and learn the endpoints of
 * all its members. Gossip is at once here; what nodes notice late is in {@link Ring}.
 */
public final class Gossip {
    private final World world;

    Gossip(World world) {
        this.world = world;
    }

    /** A running node that the starting one finds. */
    Optional<SimNode> contact(SimNode starting) {
        return gossiping(starting.cluster()).stream()
                .filter(n -> n != starting
                        && world.isConnected(starting, n)
                        && starting.acquaintances().find(n))
                .findFirst();
    }

    /** After a daemon started to gossip, or a partition ended: everyone learns where the others are. */
    void spread(ClusterName cluster) {
        for (List<SimNode> ring : rings(cluster)) {
            ring.forEach(n -> ring.forEach(other -> meet(n, other)));
            ring.forEach(n -> ring.forEach(other -> n.acquaintances().learn(other.acquaintances(), n.hostId())));
        }
    }

    private void meet(SimNode node, SimNode other) {
        String endpoint = other.endpoint();
        if (node != other && endpoint != null) {
            node.acquaintances().meet(other.hostId(), endpoint, world.nowMillis());
        }
    }

    /** Two members that serve and could reach each other, but are in different rings. */
    public Optional<String> secondRing(ClusterName cluster) {
        List<List<SimNode>> rings = rings(cluster);
        for (List<SimNode> ring : rings) {
            for (List<SimNode> other : rings.subList(0, rings.indexOf(ring))) {
                Optional<SimNode> apart = ring.stream()
                        .filter(n -> n.mode() == OperatingMode.NORMAL)
                        .filter(n -> other.stream()
                                .anyMatch(o -> o.mode() == OperatingMode.NORMAL && world.isConnected(n, o)))
                        .findFirst();
                if (apart.isPresent()) {
                    return Optional.of(apart.get().name() + " serves in another ring than "
                            + other.stream().map(SimNode::name).toList());
                }
            }
        }
        return Optional.empty();
    }

    private List<List<SimNode>> rings(ClusterName cluster) {
        List<SimNode> rest = new ArrayList<>(gossiping(cluster));
        List<List<SimNode>> rings = new ArrayList<>();
        while (!rest.isEmpty()) {
            List<SimNode> ring = new ArrayList<>();
            Deque<SimNode> reached = new ArrayDeque<>(List.of(rest.remove(0)));
            while (!reached.isEmpty()) {
                SimNode node = reached.remove();
                ring.add(node);
                List<SimNode> found = rest.stream().filter(n -> meets(node, n)).toList();
                rest.removeAll(found);
                reached.addAll(found);
            }
            rings.add(ring);
        }
        return rings;
    }

    private boolean meets(SimNode one, SimNode other) {
        return world.isConnected(one, other)
                && (one.acquaintances().find(other) || other.acquaintances().find(one));
    }

    private List<SimNode> gossiping(ClusterName cluster) {
        return world.nodesOf(cluster).stream().filter(n -> n.daemon().gossips()).toList();
    }
}
