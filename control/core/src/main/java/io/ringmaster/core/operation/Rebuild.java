package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTask;
import java.util.List;

/**
 * Each selected node streams its replicas again from another datacenter: after a keyspace got replicas there, or lost
 * its data.
 */
final class Rebuild extends FromDatacenter {
    Rebuild() {
        super(NodeTask.Kind.REBUILD);
    }

    @Override
    public String summary() {
        return "stream the replicas of nodes again from another datacenter";
    }

    @Override
    List<String> notes(View view, ClusterName cluster, DatacenterName from) {
        return List.of(
                "one node after another streams all its replicas from " + from
                        + ", including rows that it has: compact afterwards if it had any; the nodes there hold "
                        + DataSize.text(view, cluster, from),
                "every node keeps serving; while replicas in " + view.datacenter()
                        + " lack rows, reads there at ONE and LOCAL_QUORUM miss them",
                "an abort takes effect after the keyspace in progress; streamed data stays");
    }
}
