package io.ringmaster.simulator.ledger;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The replicas of each token, as NetworkTopologyStrategy of Cassandra 5.0 places them. */
final class TokenRing {
    private final NavigableMap<Long, Replica> owners = new TreeMap<>();

    /** Of two members with one token, the later one owns it. */
    TokenRing(Collection<Replica> members) {
        members.forEach(m -> m.tokens().forEach(t -> owners.put(t, m)));
    }

    /** The place of one datacenter in a walk along the ring. */
    private static final class Walk {
        private final Set<RackName> racks = new HashSet<>();
        private int missing;
        private int repeatedRacks;

        /** Fewer racks than replicas: some racks hold several. */
        Walk(Collection<Replica> nodes, int replicas) {
            long rackCount = nodes.stream().map(Replica::rack).distinct().count();
            this.missing = Math.min(replicas, nodes.size());
            this.repeatedRacks = (int) (replicas - rackCount);
        }

        boolean takes(@Nullable RackName rack) {
            if (missing == 0) {
                return false;
            }
            boolean fresh = rack != null && racks.add(rack);
            if (!fresh && repeatedRacks <= 0) {
                return false;
            }
            if (!fresh) {
                repeatedRacks--;
            }
            missing--;
            return true;
        }
    }

    /** The replicas of all datacenters in the order of the ring. The first one's primary range has the token. */
    List<Replica> replicas(long token, Map<DatacenterName, Integer> replication) {
        Map<DatacenterName, Walk> walks = new TreeMap<>();
        replication.forEach((datacenter, replicas) -> walks.put(datacenter, new Walk(nodesOf(datacenter), replicas)));
        List<Replica> chosen = new ArrayList<>();
        walk(owners.tailMap(token, true).values(), walks, chosen);
        walk(owners.headMap(token, false).values(), walks, chosen);
        return chosen;
    }

    private static void walk(Collection<Replica> along, Map<DatacenterName, Walk> walks, List<Replica> chosen) {
        for (Replica replica : along) {
            Walk walk = walks.get(replica.datacenter());
            if (walk != null && !chosen.contains(replica) && walk.takes(replica.rack())) {
                chosen.add(replica);
            }
        }
    }

    private Set<Replica> nodesOf(DatacenterName datacenter) {
        Set<Replica> nodes = new HashSet<>();
        owners.values().stream().filter(r -> r.datacenter().equals(datacenter)).forEach(nodes::add);
        return nodes;
    }
}
