package io.ringmaster.core.step;

import io.ringmaster.core.lock.DatacenterOrder;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** In a live cluster the datacenters change one after another: waits until one before this has brought the spec about. */
public record AwaitDatacenter(ClusterName cluster, long specVersion, DatacenterName datacenter) implements Step {
    @Override
    public String name() {
        return "turn after " + datacenter;
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        Optional<String> broken = view.nodesOf(cluster).stream()
                .filter(n -> PermanentFailure.of(view, n.id()).isPresent()
                        || PermanentFailure.refusal(view, n.id()).isPresent())
                .map(n -> n.id().shortName())
                .findFirst();
        if (broken.isPresent()) {
            // That datacenter may itself be waiting for this node.
            return new Verdict.Done(
                    List.of(), broken.get() + " is mended out of turn; the others still wait for theirs");
        }
        Optional<String> reason = DatacenterOrder.whyNotSettled(view, cluster, specVersion, datacenter);
        return reason.<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> new Verdict.Done(
                        List.of(),
                        datacenter + " has brought about version "
                                + DatacenterOrder.settledSpecVersion(view, cluster, datacenter)));
    }
}
