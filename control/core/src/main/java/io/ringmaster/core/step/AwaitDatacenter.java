package io.ringmaster.core.step;

import io.ringmaster.core.lock.DatacenterOrder;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.safety.Restoration;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Waits until a datacenter that is earlier in the order has settled the spec: the datacenters of a live cluster
 * change one after another.
 */
public record AwaitDatacenter(ClusterName cluster, long specVersion, DatacenterName datacenter) implements Step {
    @Override
    public String name() {
        return "wait for " + datacenter;
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        // a datacenter that leaves gives up its replicas later in the plan, which waits for the others
        boolean stays = view.spec(cluster, specVersion)
                .flatMap(s -> s.spec().datacenter(view.datacenter()))
                .isPresent();
        Optional<String> broken = view.nodesOf(cluster).stream()
                .filter(n -> PermanentFailure.of(view, n.id()).isPresent()
                        || PermanentFailure.refusal(view, n.id()).isPresent()
                        || NodeRemoval.isNeeded(view, n)
                        || (stays && LeaveRing.hasFailedToLeave(view, n)))
                .map(n -> n.id().shortName())
                .findFirst();
        if (broken.isPresent()) {
            // That datacenter may in turn be waiting for this node.
            return new Verdict.Done(
                    List.of(),
                    broken.get() + " has failed and is changed first; the other nodes wait for " + datacenter);
        }
        if (Restoration.isIncompleteHere(view, cluster)) {
            return new Verdict.Done(List.of(), "the data of the backup come first");
        }
        Optional<String> reason = DatacenterOrder.whyNotSettled(view, cluster, specVersion, datacenter);
        return reason.<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> new Verdict.Done(
                        List.of(),
                        datacenter + " has settled version "
                                + DatacenterOrder.settledSpecVersion(view, cluster, datacenter)));
    }
}
