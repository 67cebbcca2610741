package io.ringmaster.controller;

import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.fleet.DatacenterReport.ClusterPart;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.StoredRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which clusters are to be decided on next: those of which something was seen or asked, each second those in which something is under
 * way, and some of the quiet ones, in turns. Without it each fact about one node would cost a look at the whole fleet.
 */
final class DirtySet {
    /** A quiet cluster is looked at once in so many ticks, whatever was missed. */
    private static final int TICKS_FOR_ALL = 60;

    private final TreeSet<ClusterName> due = new TreeSet<>();
    private final TreeSet<ClusterName> restless = new TreeSet<>();
    private boolean all;
    private @Nullable ClusterName swept;

    /** Nothing that was known of any cluster can be relied on. */
    void everything() {
        all = true;
    }

    /**
     * A fact was taken in.
     *
     * @param before the view without it
     * @param after the view with it
     */
    void seen(Fact fact, View before, View after) {
        if (fact instanceof Fact.NodeReported reported) {
            due.add(reported.status().node().cluster());
        } else if (fact instanceof Fact.NodeSilent silent) {
            due.add(silent.node().cluster());
        } else if (fact instanceof Fact.AllocationChanged changed) {
            due.add(changed.state().allocation().node().cluster());
        } else if (fact instanceof Fact.AllocationGone gone) {
            add(before.allocations().get(gone.allocation()));
        } else if (fact instanceof Fact.PeerReported reported) {
            peer(before, after, reported.report().datacenter());
        } else if (fact instanceof Fact.PeerSilent silent) {
            peer(before, after, silent.datacenter());
        } else {
            pool(before, after);
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

    private void peer(View before, View after, DatacenterName name) {
        Observation<DatacenterReport> old = before.peers().get(name);
        Observation<DatacenterReport> now = after.peers().get(name);
        boolean sameVoice = old != null && now != null && Objects.equals(old.silence(), now.silence());
        Map<ClusterName, ClusterPart> left = new HashMap<>();
        parts(old).forEach(p -> left.put(p.cluster(), p));
        parts(now).forEach(p -> {
            if (!p.equals(left.remove(p.cluster())) || !sameVoice) {
                due.add(p.cluster());
            }
        });
        due.addAll(left.keySet());
    }

    private static List<ClusterPart> parts(@Nullable Observation<DatacenterReport> sighting) {
        DatacenterReport last = sighting == null ? null : sighting.last();
        return last == null ? List.of() : last.clusters();
    }

    /** Something was stored that no pass over these clusters decided. */
    void stored(List<Change> changes) {
        for (Change change : changes) {
            StoredRecord record = change instanceof Change.Put put ? put.record() : null;
            if (record instanceof ClusterRecord cluster) {
                due.add(cluster.name());
            } else if (record instanceof SpecRecord spec) {
                due.add(spec.cluster());
            } else if (record instanceof NodeRecord node) {
                due.add(node.id().cluster());
            } else if (record instanceof PlanRecord plan) {
                due.add(plan.plan().cluster());
            } else if (record instanceof RequestRecord request) {
                due.add(request.request().cluster());
            } else if (change instanceof Change.Remove) {
                everything();
            }
        }
    }

    /** A second has passed. */
    void tick(View view) {
        due.addAll(restless);
        if (view.clusters().isEmpty()) {
            return;
        }
        int turns = (view.clusters().size() + TICKS_FOR_ALL - 1) / TICKS_FOR_ALL;
        for (int i = 0; i < turns; i++) {
            ClusterName next = swept == null ? null : view.clusters().higherKey(swept);
            swept = next == null ? view.clusters().firstKey() : next;
            due.add(swept);
        }
    }

    /** The clusters whose turn it is; they are not due any more. */
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

    /** @param unsettled those of the clusters looked at in which something is under way */
    void looked(Collection<ClusterName> clusters, Collection<ClusterName> unsettled) {
        restless.removeAll(clusters);
        restless.addAll(unsettled);
    }
}
