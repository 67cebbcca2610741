package io.ringmaster.core.assess;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.DatacenterReport.NodePart;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.SpecRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a datacenter does beyond a deploy when it joins a cluster that holds data: once all its nodes are in the ring, the keyspaces are given
 * replicas here, each node streams its part from a datacenter that has it, and then compares itself with that. Until that is settled
 * clients are not sent here.
 */
public final class NewDatacenter {
    private NewDatacenter() {}

    /** From where the data come; empty unless this datacenter has yet to get its part of them. */
    public static Optional<DatacenterName> source(View view, SpecRecord target) {
        ClusterName cluster = target.cluster();
        if (!Seeds.lacksData(view, cluster)) {
            return Optional.empty();
        }
        return target.spec().datacenterNames().stream()
                .filter(d -> !d.equals(view.datacenter()))
                .filter(d -> !joined(view, cluster, d).isEmpty())
                .findFirst();
    }

    /** The nodes of another datacenter that were once NORMAL, as it last told. */
    static List<NodePart> joined(View view, ClusterName cluster, DatacenterName datacenter) {
        return view.lastPart(datacenter, cluster)
                .map(p -> p.nodes().stream().filter(NodePart::joined).toList())
                .orElse(List.of());
    }

    public static List<Phase> phases(View view, SpecRecord target, DatacenterName source) {
        DatacenterName here = view.datacenter();
        int nodes = target.spec().datacenter(here).orElseThrow().nodes();
        List<NodeId> all = IntStream.range(0, nodes)
                .mapToObj(i -> new NodeId(target.cluster(), here, i))
                .toList();
        return List.of(
                Steps.phase(
                        "replicate",
                        Phase.Strategy.SERIAL,
                        Stream.of(RunTask.forSpec(
                                all.get(0),
                                NodeTask.Kind.REPLICATE,
                                Map.of("datacenter", here.value(), "nodes", Integer.toString(nodes))))),
                Steps.phase("rebuild", Phase.Strategy.SERIAL, ofEach(all, NodeTask.Kind.REBUILD, source)),
                Steps.phase("compare", Phase.Strategy.SERIAL, ofEach(all, NodeTask.Kind.COMPARE, source)));
    }

    private static Stream<Step> ofEach(List<NodeId> nodes, NodeTask.Kind kind, DatacenterName source) {
        return nodes.stream().map(n -> RunTask.forSpec(n, kind, Map.of("from", source.value())));
    }

    static List<String> notes(View view, ClusterName cluster, DatacenterName source) {
        return List.of(
                view.datacenter() + " joins a cluster that holds data: its nodes join, then every keyspace that"
                        + " is replicated by datacenters gets replicas here, then each node streams them from "
                        + source + ", whose nodes hold " + DataSize.text(view, cluster, source)
                        + ": about as much comes here if as many replicas are kept",
                "clients are sent here only when that is done; from the change of the keyspaces on, QUORUM and EACH_QUORUM"
                        + " count replicas here, which have no data yet: use LOCAL_QUORUM meanwhile");
    }
}
