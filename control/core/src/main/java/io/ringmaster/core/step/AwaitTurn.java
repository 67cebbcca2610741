package io.ringmaster.core.step;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.DatacenterReport.ClusterPart;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** In a live cluster the datacenters change one after another: waits until one before this has brought the spec about. */
public record AwaitTurn(ClusterName cluster, long specVersion, DatacenterName before) implements Step {
    static final String TYPE = "await-turn";

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
        Optional<String> silence = Silence.of(view, before);
        if (silence.isPresent()) {
            return new Verdict.Wait(silence.get() + "; its turn comes first");
        }
        Optional<ClusterPart> part = view.lastPart(before, cluster);
        long settled = part.map(ClusterPart::settledSpecVersion).orElse(0L);
        if (settled >= specVersion) {
            return new Verdict.Done(List.of(), before + " has brought about version " + settled);
        }
        String unplanned = part.map(ClusterPart::unplanned).orElse(null);
        return new Verdict.Wait("it is the turn of " + before + ", which stands at version " + settled + " of "
                + specVersion + (unplanned == null ? "" : " and cannot plan: " + unplanned));
    }
}
