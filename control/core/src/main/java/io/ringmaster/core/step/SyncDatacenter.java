package io.ringmaster.core.step;

import io.ringmaster.core.identity.ClusterAuthorities;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Waits, before the first creation of a cluster, until another datacenter has the same spec and has placed its
 * nodes, so that its seeds are known.
 */
public record SyncDatacenter(ClusterName cluster, long specVersion, DatacenterName datacenter) implements Step {
    /** The phase in which a deploy waits for the other datacenters. */
    public static final String PHASE = "sync-datacenter";

    @Override
    public String name() {
        return "sync " + datacenter;
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        if (Seeds.created(view, cluster)) {
            return sinceCreated(view, budget, memory);
        }
        Optional<String> missing = missing(view);
        if (missing.isPresent()) {
            return new Verdict.Wait(missing.get());
        }
        ClusterSpec spec = view.spec(cluster, specVersion).orElseThrow().spec();
        int seeds = spec.datacenters().stream().mapToInt(DatacenterSpec::seeds).sum();
        return new Verdict.Done(List.of(), view.datacenter() + " <-> " + datacenter + ": " + seeds + " seeds");
    }

    /** Nodes that start without the seeds of the other datacenter could form a ring of their own. */
    @Override
    public Verdict forced(View view) {
        return Seeds.created(view, cluster)
                ? new Verdict.Done(List.of(), "declared done")
                : missing(view)
                        .<Verdict>map(reason -> new Verdict.Failed(
                                List.of(),
                                Problem.of(
                                        ErrorCode.PLAN_STATE,
                                        cluster + " cannot be created without " + datacenter + ": " + reason,
                                        "wait for " + datacenter
                                                + ", or delete the cluster, which holds no rows yet, and declare one of"
                                                + " another name without " + datacenter)))
                        .orElseGet(() -> new Verdict.Done(List.of(), "declared done"));
    }

    /** Why the datacenter cannot take part in the first creation now. */
    Optional<String> missing(View view) {
        Optional<String> silence = view.silence(datacenter);
        if (silence.isPresent()) {
            return silence;
        }
        Optional<ClusterPart> found = view.lastPart(datacenter, cluster);
        if (found.isEmpty()) {
            return Optional.of(datacenter + " does not know " + cluster + " yet");
        }
        ClusterPart part = found.get();
        if (!Seeds.isSame(view, part)) {
            return Optional.of(datacenter + " has another cluster of the name " + cluster);
        }
        if (part.deleting()) {
            return Optional.of(datacenter + " still removes an older " + cluster);
        }
        ClusterSpec spec = view.spec(cluster, specVersion).orElseThrow().spec();
        if (part.spec().version() != specVersion || !part.spec().spec().equals(spec)) {
            return Optional.of(datacenter + " has spec version " + part.spec().version() + ", not " + specVersion);
        }
        if (part.unplanned() != null) {
            return Optional.of(datacenter + " cannot plan it: " + part.unplanned());
        }
        if (!ClusterAuthorities.hasAll(spec, part)) {
            return Optional.of(datacenter + " has not reported its certificate authorities for " + cluster);
        }
        int placed = part.nodes().size();
        int expected = spec.datacenter(datacenter).orElseThrow().nodes();
        return placed < expected
                ? Optional.of(datacenter + " has placed " + placed + " of " + expected + " nodes")
                : Optional.empty();
    }

    /**
     * The cluster was created by an older plan after this one was drafted: from now on the datacenters change one
     * after another.
     */
    private Verdict sinceCreated(View view, Budget budget, Map<String, String> memory) {
        List<DatacenterName> order =
                view.spec(cluster, specVersion).orElseThrow().spec().datacenterNames();
        return order.indexOf(datacenter) < order.indexOf(view.datacenter())
                ? new AwaitDatacenter(cluster, specVersion, datacenter).next(view, budget, memory)
                : new Verdict.Done(
                        List.of(), "the cluster was created meanwhile; " + datacenter + " applies this version later");
    }
}
