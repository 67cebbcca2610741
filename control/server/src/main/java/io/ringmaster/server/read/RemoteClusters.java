package io.ringmaster.server.read;

import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;

/**
 * Clusters that this datacenter has no part of: no report brings their specs here, so a datacenter whose last report
 * holds the cluster answers for it. A request is forwarded once: each of two datacenters that have just forgotten a
 * cluster may have a last report in which the other still holds it.
 */
public final class RemoteClusters {
    private final FleetReader fleet;

    public RemoteClusters(FleetReader fleet) {
        this.fleet = fleet;
    }

    /**
     * @param reach {@link Scope#LOCAL} for a request that must not be forwarded
     * @return empty when this datacenter answers, because it has a part of the cluster or no datacenter has one
     * @throws io.ringmaster.server.refusal.ProblemException the other datacenter does not answer, or refuses
     */
    public <T> Optional<T> read(View view, ClusterName cluster, Scope reach, Function<RingmasterClient, T> question) {
        return holder(view, cluster, reach).map(holder -> fleet.askOne(view, holder, question));
    }

    /** As {@link #read}, for a change that {@code who} requested. */
    public <T> Optional<T> change(
            View view, ClusterName cluster, Scope reach, Principal who, Function<RingmasterClient, T> change) {
        return holder(view, cluster, reach).map(holder -> fleet.change(view, holder, who, change));
    }

    /** Prefers a datacenter that answers, then one with the newest spec. */
    private static Optional<DatacenterName> holder(View view, ClusterName cluster, Scope reach) {
        if (reach == Scope.LOCAL || view.exists(cluster)) {
            return Optional.empty();
        }
        return view.peers().keySet().stream()
                .filter(peer -> view.lastPart(peer, cluster)
                        .filter(RemoteClusters::exists)
                        .isPresent())
                .max(Comparator.<DatacenterName, Boolean>comparing(
                                peer -> view.silence(peer).isEmpty())
                        .thenComparing(peer -> view.lastPart(peer, cluster)
                                .map(part -> part.spec().version())
                                .orElse(0L)));
    }

    /** A deleted cluster exists until its last node is released. */
    private static boolean exists(ClusterPart part) {
        return !part.deleting() || !part.nodes().isEmpty();
    }
}
