package io.ringmaster.controller;

import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.record.CordonRecord;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.PeerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/** The newest facts, and the view made of them and of the stored records. */
final class ObservedState {
    /** A peer without a report for this long counts as silent, even if no adapter reported its silence. */
    private static final Duration PEER_EXPIRY = Duration.ofSeconds(30);

    private final ObservedPool pool = new ObservedPool();
    private PSortedMap<NodeId, Observation<NodeStatus>> statuses = TreePMap.empty();
    private PSortedMap<DatacenterName, Observation<DatacenterReport>> peers = TreePMap.empty();

    private final Map<AuthorityName, CertificatePem> authorities = new HashMap<>();

    /** Forgets every fact. */
    void clear() {
        pool.clear();
        statuses = TreePMap.empty();
        peers = TreePMap.empty();
        authorities.clear();
    }

    /** Takes the peers' stored reports from before this server led, where no newer one has arrived. */
    void remember(Records records, Instant now) {
        records.all(PeerRecord.class)
                .filter(p -> !peers.containsKey(p.report().datacenter()))
                .forEach(p -> peers = peers.plus(
                        p.report().datacenter(),
                        new Observation<>(p.report(), now, "no report since this server leads")));
    }

    void take(Fact fact, Instant now) {
        fact.accept(new Intake(now));
    }

    private final class Intake implements Fact.Handler {
        private final Instant now;

        Intake(Instant now) {
            this.now = now;
        }

        @Override
        public void poolSeen(Fact.PoolSeen seen) {
            pool.take(seen);
        }

        @Override
        public void poolUnavailable(Fact.PoolUnavailable unavailable) {
            pool.lost(unavailable.reason());
        }

        @Override
        public void machineChanged(Fact.MachineChanged changed) {
            pool.take(changed);
        }

        @Override
        public void allocationChanged(Fact.AllocationChanged changed) {
            pool.take(changed);
        }

        @Override
        public void allocationGone(Fact.AllocationGone gone) {
            pool.take(gone);
        }

        @Override
        public void nodeReported(Fact.NodeReported reported) {
            statuses = statuses.plus(reported.status().node(), new Observation<>(reported.status(), now, null));
        }

        @Override
        public void nodeSilent(Fact.NodeSilent silent) {
            statuses = statuses.plus(silent.node(), silenced(statuses.get(silent.node()), now, silent.reason()));
        }

        @Override
        public void peerReported(Fact.PeerReported reported) {
            DatacenterReport report = reported.report();
            Observation<DatacenterReport> known = peers.get(report.datacenter());
            DatacenterReport last = known == null ? null : known.last();
            if (last == null || !report.at().isBefore(last.at())) {
                peers = peers.plus(report.datacenter(), new Observation<>(report, now, null));
            }
        }

        @Override
        public void peerSilent(Fact.PeerSilent silent) {
            peers = peers.plus(silent.datacenter(), silenced(peers.get(silent.datacenter()), now, silent.reason()));
        }

        @Override
        public void authorityMade(Fact.AuthorityMade made) {
            authorities.put(made.authority(), made.certificate());
        }
    }

    private static <T> Observation<T> silenced(@Nullable Observation<T> known, Instant now, String reason) {
        return known == null
                ? new Observation<>(null, now, reason)
                : new Observation<>(known.last(), known.at(), reason);
    }

    /** Marks peers as silent whose last report is too old. */
    void expire(Instant now) {
        peers.forEach((name, s) -> {
            if (s.silence() == null && s.at().plus(PEER_EXPIRY).isBefore(now)) {
                peers = peers.plus(name, silenced(s, now, "no report for " + PEER_EXPIRY.toSeconds() + " s"));
            }
        });
    }

    /** Drops the status of a node. */
    void forget(NodeId node) {
        statuses = statuses.minus(node);
    }

    View view(View stored, Stream<CordonRecord> cordons, Instant now, Set<DatacenterName> knownPeers) {
        return pool.addTo(ViewBuilder.builder(stored))
                .now(now)
                .machines(cordoned(cordons))
                .statuses(statuses)
                .peers(peers)
                .knownPeers(Set.copyOf(knownPeers))
                .authoritiesMade(Map.copyOf(authorities))
                .build();
    }

    private PSortedMap<MachineName, Machine> cordoned(Stream<CordonRecord> cordons) {
        List<Machine> marked = cordons.flatMap(
                        c -> Stream.ofNullable(pool.machines().get(c.machine())))
                .map(Machine::cordon)
                .toList();
        PSortedMap<MachineName, Machine> all = pool.machines();
        for (Machine machine : marked) {
            all = all.plus(machine.name(), machine);
        }
        return all;
    }
}
