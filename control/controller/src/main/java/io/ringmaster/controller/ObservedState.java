package io.ringmaster.controller;

import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.PeerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/** The facts as they stand, and the view made of them and the records. */
final class ObservedState {
    /** After this a peer that said nothing counts as silent, even if nobody noticed the silence. */
    private static final Duration PEER_EXPIRY = Duration.ofSeconds(30);

    private boolean poolSeen;
    private PSortedMap<MachineName, Machine> machines = TreePMap.empty();
    private PSortedMap<AllocationId, AllocationState> allocations = TreePMap.empty();
    private PSortedMap<NodeId, Observation<NodeStatus>> statuses = TreePMap.empty();
    private PSortedMap<DatacenterName, Observation<DatacenterReport>> peers = TreePMap.empty();

    /** Nothing is known of the outside. */
    void clear() {
        poolSeen = false;
        machines = TreePMap.empty();
        allocations = TreePMap.empty();
        statuses = TreePMap.empty();
        peers = TreePMap.empty();
    }

    /** What peers said before this server began to lead, as far as nothing newer is known. */
    void remember(Records records) {
        records.all(PeerRecord.class)
                .filter(p -> !peers.containsKey(p.report().datacenter()))
                .forEach(p -> peers = peers.plus(
                        p.report().datacenter(),
                        new Observation<>(p.report(), p.receivedAt(), "not heard since this server began to lead")));
    }

    /** Takes a fact in. */
    void take(Fact fact, Instant now) {
        if (fact instanceof Fact.PoolSeen seen) {
            poolSeen = true;
            machines = seen.machines().stream().collect(TreePMap.toTreePMap(Machine::name, m -> m));
            allocations = seen.allocations().stream()
                    .collect(TreePMap.toTreePMap(a -> a.allocation().id(), a -> a));
        } else if (fact instanceof Fact.PoolUnavailable) {
            poolSeen = false;
        } else if (fact instanceof Fact.AllocationChanged changed) {
            AllocationState state = changed.state();
            AllocationState known = allocations.get(state.allocation().id());
            if (known == null || !state.since().isBefore(known.since())) {
                allocations = allocations.plus(state.allocation().id(), state);
            }
        } else if (fact instanceof Fact.AllocationGone gone) {
            allocations = allocations.minus(gone.allocation());
        } else if (fact instanceof Fact.NodeReported reported) {
            statuses = statuses.plus(reported.status().node(), new Observation<>(reported.status(), now, null));
        } else if (fact instanceof Fact.NodeSilent silent) {
            statuses = statuses.plus(silent.node(), silenced(statuses.get(silent.node()), now, silent.reason()));
        } else if (fact instanceof Fact.PeerReported reported) {
            Observation<DatacenterReport> known = peers.get(reported.report().datacenter());
            DatacenterReport last = known == null ? null : known.last();
            if (last == null || !reported.report().at().isBefore(last.at())) {
                peers = peers.plus(reported.report().datacenter(), new Observation<>(reported.report(), now, null));
            }
        } else if (fact instanceof Fact.PeerSilent silent) {
            peers = peers.plus(silent.datacenter(), silenced(peers.get(silent.datacenter()), now, silent.reason()));
        }
    }

    private static <T> Observation<T> silenced(@Nullable Observation<T> known, Instant now, String reason) {
        return known == null
                ? new Observation<>(null, now, reason)
                : new Observation<>(known.last(), known.at(), reason);
    }

    /** What was said too long ago counts no more as said now. */
    void expire(Instant now) {
        peers.forEach((name, s) -> {
            if (s.silence() == null && s.at().plus(PEER_EXPIRY).isBefore(now)) {
                peers = peers.plus(name, silenced(s, now, "nothing heard for " + PEER_EXPIRY.toSeconds() + " s"));
            }
        });
    }

    /** What is said of nodes that are not decided any more is dropped. */
    void forget(NodeId node) {
        statuses = statuses.minus(node);
    }

    View view(View stored, Stream<CordonRecord> cordons, Instant now, Set<DatacenterName> knownPeers) {
        return new View(
                now,
                stored.seed(),
                stored.datacenter(),
                stored.serverUrls(),
                poolSeen,
                cordoned(cordons),
                allocations,
                stored.clusters(),
                stored.specs(),
                stored.nodes(),
                statuses,
                peers,
                Set.copyOf(knownPeers),
                stored.plans(),
                stored.requests());
    }

    private PSortedMap<MachineName, Machine> cordoned(Stream<CordonRecord> cordons) {
        List<Machine> marked = cordons.flatMap(c -> Stream.ofNullable(machines.get(c.machine())))
                .map(m -> new Machine(
                        m.name(),
                        m.rack(),
                        m.address(),
                        m.cpuMillis(),
                        m.memoryBytes(),
                        m.diskBytes(),
                        m.ports(),
                        true))
                .toList();
        PSortedMap<MachineName, Machine> all = machines;
        for (Machine machine : marked) {
            all = all.plus(machine.name(), machine);
        }
        return all;
    }
}
