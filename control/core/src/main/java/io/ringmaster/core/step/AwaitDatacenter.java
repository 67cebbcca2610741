package io.ringmaster.core.step;

import io.ringmaster.core.lock.DatacenterOrder;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** In a live cluster the datacenters change one after another: waits until one before this has brought the spec about. */
public record AwaitDatacenter(ClusterName cluster, long specVersion, DatacenterName before) implements Step {
    static final String TYPE = "await-datacenter";

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Map<String, String> args() {
        return Map.of(
                "cluster", cluster.value(), "spec_version", Long.toString(specVersion), "datacenter", before.value());
    }

    @Override
    public String name() {
        return "turn after " + before;
    }

    @Override
    public Verdict next(View view, Map<String, String> memory) {
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
        Optional<String> reason = DatacenterOrder.whyNotSettled(view, cluster, specVersion, before);
        return reason.<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> new Verdict.Done(
                        List.of(),
                        before + " has brought about version "
                                + DatacenterOrder.settledSpecVersion(view, cluster, before)));
    }
}
