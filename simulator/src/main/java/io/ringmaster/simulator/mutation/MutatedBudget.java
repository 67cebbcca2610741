package io.ringmaster.simulator.mutation;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.RepairScope;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.SpecRecordBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The real availability checks without those that a planted bug removes. */
record MutatedBudget(Budget real, Mutation plant) implements Budget {
    @Override
    public Optional<String> beforeTouching(View view, NodeRecord node, long specVersion) {
        return isRemoved(Mutation.SPEC_CHECK_REMOVED)
                ? Optional.empty()
                : real.beforeTouching(reduced(view, node.id().cluster()), node, specVersion);
    }

    @Override
    public Optional<String> beforeRequested(View view, NodeRecord node, boolean together, boolean allowSilentPeers) {
        return isRemoved(Mutation.REQUEST_CHECK_REMOVED)
                ? Optional.empty()
                : real.beforeRequested(reduced(view, node.id().cluster()), node, together, allowSilentPeers);
    }

    @Override
    public Optional<String> beforeRepair(View view, NodeRecord node, RepairScope scope, boolean allowSilentPeers) {
        return isRemoved(Mutation.REQUEST_CHECK_REMOVED)
                ? Optional.empty()
                : real.beforeRepair(reduced(view, node.id().cluster()), node, scope, allowSilentPeers);
    }

    @Override
    public Optional<String> beforeReplacing(View view, NodeRecord node, boolean besideDown) {
        return isRemoved(Mutation.REPLACE_CHECK_REMOVED)
                ? Optional.empty()
                : real.beforeReplacing(view, node, besideDown);
    }

    @Override
    public Optional<String> untilSeen(View view, NodeRecord node) {
        return plant == Mutation.AVAILABILITY_CHECK_REMOVED ? Optional.empty() : real.untilSeen(view, node);
    }

    private boolean isRemoved(Mutation check) {
        return plant == check || plant == Mutation.AVAILABILITY_CHECK_REMOVED;
    }

    /** The view without what the planted bug ignores. */
    private View reduced(View view, ClusterName cluster) {
        return switch (plant) {
            case PEER_REPORTS_IGNORED ->
                view.with(view.versions(cluster).values().stream()
                                .<Change>map(s -> new Change.Put(withoutOthers(view, s)))
                                .toList())
                        .withPeers(Map.of());
            case LEAVING_DATACENTER_IGNORED -> view.withPeers(remaining(view, cluster));
            default -> view;
        };
    }

    private static Map<DatacenterName, Observation<DatacenterReport>> remaining(View view, ClusterName cluster) {
        Map<DatacenterName, Observation<DatacenterReport>> peers = new TreeMap<>(view.peers());
        view.targetSpec(cluster)
                .ifPresent(s -> peers.keySet().retainAll(s.spec().datacenterNames()));
        return peers;
    }

    private static SpecRecord withoutOthers(View view, SpecRecord spec) {
        return SpecRecordBuilder.builder(spec)
                .spec(spec.spec()
                        .withDatacenters(spec.spec().datacenter(view.datacenter()).stream()
                                .toList()))
                .build();
    }
}
