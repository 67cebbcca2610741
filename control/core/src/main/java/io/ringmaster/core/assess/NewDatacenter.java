package io.ringmaster.core.assess;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.SpecRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The plan of a datacenter that joins a cluster that holds data. Once all its nodes are in the ring, the keyspaces get
 * replicas here, each node streams its part from a datacenter that has it, and then compares its data with that
 * datacenter. Clients are not sent here until then.
 */
public final class NewDatacenter {
    private NewDatacenter() {}

    /** The datacenter to stream from; empty unless this datacenter still lacks its part of the data. */
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

    /** The nodes of another datacenter that were NORMAL at least once, by its last report. */
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
                        + " is replicated per datacenter gets replicas here, then each node streams them from "
                        + source + ", whose nodes hold " + DataSize.text(view, cluster, source)
                        + ": about as much is streamed for the same number of replicas",
                "clients are sent here only after that; once the keyspaces are altered, QUORUM and EACH_QUORUM count"
                        + " replicas here that have no data yet: use LOCAL_QUORUM until the plan is complete");
    }
}
