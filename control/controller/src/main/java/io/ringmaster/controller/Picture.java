package io.ringmaster.controller;

import io.ringmaster.core.view.Sighting;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PeerRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.SpecRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The facts as they stand, and the view made of them and the records. */
final class Picture {
    /** After this a peer that said nothing counts as silent, even if nobody noticed the silence. */
    private static final Duration PEER_EXPIRY = Duration.ofSeconds(30);

    private boolean poolSeen;
    private final TreeMap<MachineName, Machine> machines = new TreeMap<>();
    private final TreeMap<AllocationId, AllocationState> allocations = new TreeMap<>();
    private final TreeMap<NodeId, Sighting<NodeStatus>> statuses = new TreeMap<>();
    private final TreeMap<DatacenterName, Sighting<DatacenterReport>> peers = new TreeMap<>();

    /** Nothing is known of the outside. */
    void clear() {
        poolSeen = false;
        machines.clear();
        allocations.clear();
        statuses.clear();
        peers.clear();
    }

    /** What peers said before this server began to lead, as far as nothing newer is known. */
    void remember(Records records) {
        records.all(PeerRecord.class)
                .forEach(p -> peers.putIfAbsent(
                        p.report().datacenter(),
                        new Sighting<>(p.report(), p.receivedAt(), "not heard since this server began to lead")));
    }

    /** Takes a fact in. */
    void take(Fact fact, Instant now) {
        if (fact instanceof Fact.PoolSeen seen) {
            poolSeen = true;
            machines.clear();
            seen.machines().forEach(m -> machines.put(m.name(), m));
            allocations.clear();
            seen.allocations().forEach(s -> allocations.put(s.allocation().id(), s));
        } else if (fact instanceof Fact.PoolUnavailable) {
            poolSeen = false;
        } else if (fact instanceof Fact.AllocationChanged changed) {
            AllocationState state = changed.state();
            AllocationState known = allocations.get(state.allocation().id());
            if (known == null || !state.since().isBefore(known.since())) {
                allocations.put(state.allocation().id(), state);
            }
        } else if (fact instanceof Fact.AllocationGone gone) {
            allocations.remove(gone.allocation());
        } else if (fact instanceof Fact.NodeReported reported) {
            statuses.put(reported.status().node(), new Sighting<>(reported.status(), now, null));
        } else if (fact instanceof Fact.NodeSilent silent) {
            statuses.merge(
                    silent.node(),
                    new Sighting<>(null, now, silent.reason()),
                    (known, fresh) -> new Sighting<>(known.last(), known.at(), silent.reason()));
        } else if (fact instanceof Fact.PeerReported reported) {
            Sighting<DatacenterReport> known = peers.get(reported.report().datacenter());
            DatacenterReport last = known == null ? null : known.last();
            if (last == null || !reported.report().at().isBefore(last.at())) {
                peers.put(reported.report().datacenter(), new Sighting<>(reported.report(), now, null));
            }
        } else if (fact instanceof Fact.PeerSilent silent) {
            peers.merge(
                    silent.datacenter(),
                    new Sighting<>(null, now, silent.reason()),
                    (known, fresh) -> new Sighting<>(known.last(), known.at(), silent.reason()));
        }
    }

    /** What was said too long ago counts no more as said now. */
    void expire(Instant now) {
        peers.replaceAll(
                (name, s) -> s.silence() == null && s.at().plus(PEER_EXPIRY).isBefore(now)
                        ? new Sighting<>(s.last(), s.at(), "nothing heard for " + PEER_EXPIRY.toSeconds() + " s")
                        : s);
    }

    /** What is said of nodes that are not decided any more is dropped. */
    void retainNodes(Set<NodeId> launched) {
        statuses.keySet().retainAll(launched);
    }

    View view(
            Records records,
            Instant now,
            long seed,
            DatacenterName datacenter,
            List<String> serverUrls,
            Set<DatacenterName> knownPeers) {
        TreeMap<ClusterName, ClusterRecord> clusters = new TreeMap<>();
        records.all(ClusterRecord.class).forEach(c -> clusters.put(c.name(), c));
        TreeMap<ClusterName, SortedMap<Long, SpecRecord>> specs = new TreeMap<>();
        records.all(SpecRecord.class).forEach(s -> specs.computeIfAbsent(s.cluster(), c -> new TreeMap<>())
                .put(s.version(), s));
        TreeMap<NodeId, NodeRecord> nodes = new TreeMap<>();
        records.all(NodeRecord.class).forEach(n -> nodes.put(n.id(), n));
        TreeMap<PlanId, Plan> plans = new TreeMap<>();
        records.all(PlanRecord.class).forEach(p -> plans.put(p.plan().id(), p.plan()));
        return new View(
                now,
                seed,
                datacenter,
                serverUrls,
                poolSeen,
                cordoned(records),
                frozen(allocations),
                frozen(clusters),
                frozen(specs),
                frozen(nodes),
                frozen(statuses),
                frozen(peers),
                Collections.unmodifiableSet(new TreeSet<>(knownPeers)),
                frozen(plans));
    }

    private Map<MachineName, Machine> cordoned(Records records) {
        TreeMap<MachineName, Machine> marked = new TreeMap<>(machines);
        records.all(CordonRecord.class)
                .forEach(c -> marked.computeIfPresent(
                        c.machine(),
                        (name, m) -> new Machine(
                                m.name(),
                                m.rack(),
                                m.address(),
                                m.cpuMillis(),
                                m.memoryBytes(),
                                m.diskBytes(),
                                m.ports(),
                                true)));
        return Collections.unmodifiableMap(marked);
    }

    private static <K, V> Map<K, V> frozen(SortedMap<K, V> map) {
        return Collections.unmodifiableMap(new TreeMap<>(map));
    }
}
