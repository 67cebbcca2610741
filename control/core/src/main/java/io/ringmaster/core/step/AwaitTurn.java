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
        Optional<String> broken = view.nodesOf(cluster).stream()
                .filter(n -> Breakage.of(view, n.id()).isPresent()
                        || Breakage.refusal(view, n.id()).isPresent())
                .map(n -> n.id().shortName())
                .findFirst();
        if (broken.isPresent()) {
            // That datacenter may itself be waiting for this node.
            return new Verdict.Done(
                    List.of(), broken.get() + " is mended out of turn; the others still wait for theirs");
        }
        Optional<String> reason = reason(view);
        return reason.<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> new Verdict.Done(List.of(), before + " has brought about version " + settled(view)));
    }

    /** Why it is not yet the turn of the deciding datacenter. */
    Optional<String> reason(View view) {
        Optional<String> silence = view.silence(before);
        if (silence.isPresent()) {
            return Optional.of(silence.get() + "; its turn comes first");
        }
        long settled = settled(view);
        if (settled >= specVersion) {
            return Optional.empty();
        }
        String unplanned =
                view.lastPart(before, cluster).map(ClusterPart::unplanned).orElse(null);
        return Optional.of("it is the turn of " + before + ", which stands at version " + settled + " of " + specVersion
                + (unplanned == null ? "" : " and cannot plan: " + unplanned));
    }

    private long settled(View view) {
        return view.lastPart(before, cluster)
                .map(ClusterPart::settledSpecVersion)
                .orElse(0L);
    }
}
