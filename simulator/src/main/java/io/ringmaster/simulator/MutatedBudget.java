package io.ringmaster.simulator;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.DatacenterReport;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The real gate, but for the questions that a planted bug does not ask. */
record MutatedBudget(Budget real, Mutation plant) implements Budget {
    @Override
    public Optional<String> beforeTouching(View view, NodeRecord node, long specVersion) {
        return lacks(Mutation.SPEC_UNGATED)
                ? Optional.empty()
                : real.beforeTouching(heard(view, node.id().cluster()), node, specVersion);
    }

    @Override
    public Optional<String> beforeRequested(View view, NodeRecord node, boolean together, boolean allowSilentPeers) {
        return lacks(Mutation.REQUEST_UNGATED)
                ? Optional.empty()
                : real.beforeRequested(heard(view, node.id().cluster()), node, together, allowSilentPeers);
    }

    @Override
    public Optional<String> beforeReplacing(View view, NodeRecord node, boolean besideDown) {
        return lacks(Mutation.REPLACE_UNGATED) ? Optional.empty() : real.beforeReplacing(view, node, besideDown);
    }

    @Override
    public Optional<String> untilSeen(View view, NodeRecord node) {
        return plant == Mutation.GATE_REMOVED ? Optional.empty() : real.untilSeen(view, node);
    }

    private boolean lacks(Mutation question) {
        return plant == question || plant == Mutation.GATE_REMOVED;
    }

    /** As if something that the real gate looks at were not there. */
    private View heard(View view, ClusterName cluster) {
        return switch (plant) {
            case PEERS_IGNORED ->
                view.with(view.versions(cluster).values().stream()
                                .<Change>map(s -> new Change.Put(alone(view, s)))
                                .toList())
                        .withPeers(Map.of());
            case LEAVING_UNASKED -> view.withPeers(staying(view, cluster));
            default -> view;
        };
    }

    private static Map<DatacenterName, Observation<DatacenterReport>> staying(View view, ClusterName cluster) {
        Map<DatacenterName, Observation<DatacenterReport>> peers = new TreeMap<>(view.peers());
        view.targetSpec(cluster)
                .ifPresent(s -> peers.keySet().retainAll(s.spec().datacenterNames()));
        return peers;
    }

    private static SpecRecord alone(View view, SpecRecord spec) {
        return new SpecRecord(
                spec.cluster(),
                spec.version(),
                RandomSpecs.only(spec.spec(), Set.of(view.datacenter())),
                spec.source(),
                spec.appliedBy(),
                spec.appliedIn(),
                spec.appliedAt(),
                spec.incarnation(),
                spec.forced());
    }
}
