package io.ringmaster.controller;

import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The clusters that the next pass decides on: clusters with a new fact or request, on each tick those with work in
 * progress, and some of the quiet ones, round-robin. Without it, each fact about one node would cost a look at the
 * whole fleet.
 */
final class DirtySet {
    /** Each quiet cluster is decided on once in this number of ticks, whatever was missed. */
    private static final int TICKS_FOR_ALL = 60;

    private final TreeSet<ClusterName> due = new TreeSet<>();
    private final TreeSet<ClusterName> active = new TreeSet<>();
    private boolean all;
    private @Nullable ClusterName lastSwept;

    /** Marks every cluster: nothing known of any can be relied on. */
    void everything() {
        all = true;
    }

    /**
     * Marks the clusters that a fact concerns.
     *
     * @param before the view without it
     * @param after the view with it
     */
    void observed(Fact fact, View before, View after) {
        fact.accept(new Concerned(before, after));
    }

    private final class Concerned implements Fact.Handler {
        private final View before;
        private final View after;

        Concerned(View before, View after) {
            this.before = before;
            this.after = after;
        }

        @Override
        public void poolSeen(Fact.PoolSeen fact) {
            pool(before, after);
        }

        @Override
        public void poolUnavailable(Fact.PoolUnavailable fact) {
            pool(before, after);
        }

        @Override
        public void machineChanged(Fact.MachineChanged fact) {
            pool(before, after);
        }

        @Override
        public void allocationChanged(Fact.AllocationChanged changed) {
            add(changed.state());
        }

        @Override
        public void allocationGone(Fact.AllocationGone gone) {
            add(before.allocations().get(gone.allocation()));
        }

        @Override
        public void nodeReported(Fact.NodeReported reported) {
            node(before, after, reported.status().node());
        }

        @Override
        public void nodeSilent(Fact.NodeSilent silent) {
            node(before, after, silent.node());
        }

        @Override
        public void peerReported(Fact.PeerReported reported) {
            peer(before, after, reported.report().datacenter());
        }

        @Override
        public void peerSilent(Fact.PeerSilent silent) {
            peer(before, after, silent.datacenter());
        }

        @Override
        public void authorityMade(Fact.AuthorityMade made) {
            ClusterName cluster = made.authority().cluster();
            if (cluster != null) {
                due.add(cluster);
            }
        }
    }

    private void add(@Nullable AllocationState state) {
        if (state != null) {
            due.add(state.allocation().node().cluster());
        }
    }

    private void pool(View before, View after) {
        if (before.poolSeen() != after.poolSeen() || !before.machines().equals(after.machines())) {
            everything();
            return;
        }
        Map<AllocationId, AllocationState> left = new HashMap<>(before.allocations());
        after.allocations().forEach((id, state) -> {
            if (!state.equals(left.remove(id))) {
                add(state);
            }
        });
        left.values().forEach(this::add);
    }

    /** Executors repeat what they report. */
    private void node(View before, View after, NodeId node) {
        Observation<NodeStatus> old = before.statuses().get(node);
        Observation<NodeStatus> now = after.statuses().get(node);
        boolean same = old != null
                && now != null
                && Objects.equals(old.silence(), now.silence())
                && Objects.equals(old.last(), now.last());
        if (!same) {
            due.add(node.cluster());
        }
    }

    private void peer(View before, View after, DatacenterName name) {
        Observation<DatacenterReport> old = before.peers().get(name);
        Observation<DatacenterReport> now = after.peers().get(name);
        boolean sameSilence = old != null && now != null && Objects.equals(old.silence(), now.silence());
        Map<ClusterName, ClusterPart> left = new HashMap<>();
        parts(old).forEach(p -> left.put(p.cluster(), p));
        parts(now).forEach(p -> {
            if (!p.equals(left.remove(p.cluster())) || !sameSilence) {
                due.add(p.cluster());
            }
        });
        due.addAll(left.keySet());
    }

    private static List<ClusterPart> parts(@Nullable Observation<DatacenterReport> sighting) {
        DatacenterReport last = sighting == null ? null : sighting.last();
        return last == null ? List.of() : last.clusters();
    }

    /** Marks the clusters of changes that no pass over them decided. */
    void stored(List<Change> changes) {
        for (Change change : changes) {
            if (change instanceof Change.Put put) {
                ClusterName cluster = put.record().cluster();
                if (cluster != null) {
                    due.add(cluster);
                }
            } else {
                everything();
            }
        }
    }

    /** Runs on every controller tick (500 ms). */
    void tick(View view) {
        due.addAll(active);
        if (view.clusters().isEmpty()) {
            return;
        }
        int share = (view.clusters().size() + TICKS_FOR_ALL - 1) / TICKS_FOR_ALL;
        for (int i = 0; i < share; i++) {
            ClusterName next = lastSwept == null ? null : view.clusters().higherKey(lastSwept);
            lastSwept = next == null ? view.clusters().firstKey() : next;
            due.add(lastSwept);
        }
    }

    /** Takes the marked clusters out of the set. */
    Set<ClusterName> take(View view) {
        TreeSet<ClusterName> taken = new TreeSet<>(due);
        if (all) {
            taken.addAll(view.clusters().keySet());
            view.peers().values().forEach(p -> parts(p).forEach(part -> taken.add(part.cluster())));
        }
        all = false;
        due.clear();
        return taken;
    }

    /** @param unsettled the decided clusters in which something is in progress */
    void decided(Collection<ClusterName> clusters, Collection<ClusterName> unsettled) {
        active.removeAll(clusters);
        active.addAll(unsettled);
    }
}
