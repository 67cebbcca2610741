package io.ringmaster.core.step;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.DatacenterReport.ClusterPart;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Before a cluster's first creation: the other datacenter has the same spec and has placed its nodes, so that its seeds are known. */
public record SyncDatacenter(ClusterName cluster, long specVersion, DatacenterName peer) implements Step {
    static final String TYPE = "sync-datacenter";

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Map<String, String> args() {
        return Map.of(
                "cluster", cluster.value(), "spec_version", Long.toString(specVersion), "datacenter", peer.value());
    }

    @Override
    public String name() {
        return "sync " + peer;
    }

    @Override
    public Verdict next(View view, Map<String, String> memory) {
        if (Seeds.created(view, cluster)) {
            return sinceCreated(view, memory);
        }
        Optional<String> silence = view.silence(peer);
        if (silence.isPresent()) {
            return new Verdict.Wait(silence.get());
        }
        Optional<ClusterPart> found = view.lastPart(peer, cluster);
        if (found.isEmpty()) {
            return new Verdict.Wait(peer + " does not know " + cluster + " yet");
        }
        ClusterPart part = found.get();
        if (part.deleting()) {
            return new Verdict.Wait(peer + " still takes an older " + cluster + " away");
        }
        ClusterSpec spec = view.spec(cluster, specVersion).orElseThrow().spec();
        if (part.spec().version() != specVersion || !part.spec().spec().equals(spec)) {
            return new Verdict.Wait(peer + " has spec version " + part.spec().version() + ", not " + specVersion);
        }
        if (part.unplanned() != null) {
            return new Verdict.Wait(peer + " cannot plan it: " + part.unplanned());
        }
        int expected = spec.datacenter(peer).orElseThrow().nodes();
        if (part.nodes().size() < expected) {
            return new Verdict.Wait(peer + " has placed " + part.nodes().size() + " of " + expected + " nodes");
        }
        int seeds = spec.datacenters().stream().mapToInt(DatacenterSpec::seeds).sum();
        return new Verdict.Done(List.of(), view.datacenter() + " <-> " + peer + ": " + seeds + " seeds");
    }

    /** An older plan completed the cluster after this one was drafted: from now on the datacenters take turns. */
    private Verdict sinceCreated(View view, Map<String, String> memory) {
        List<DatacenterName> order =
                view.spec(cluster, specVersion).orElseThrow().spec().datacenterNames();
        return order.indexOf(peer) < order.indexOf(view.datacenter())
                ? new AwaitDatacenter(cluster, specVersion, peer).next(view, memory)
                : new Verdict.Done(List.of(), "the cluster was created meanwhile; " + peer + " comes later");
    }
}
