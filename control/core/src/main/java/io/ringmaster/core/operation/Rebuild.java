package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTask;
import java.util.List;

/** Each chosen node streams its replicas anew from another datacenter: after a keyspace was given replicas there, or lost its data. */
final class Rebuild extends FromDatacenter {
    Rebuild() {
        super(NodeTask.Kind.REBUILD);
    }

    @Override
    public String summary() {
        return "stream the replicas of nodes anew from another datacenter";
    }

    @Override
    List<String> notes(View view, ClusterName cluster, DatacenterName from) {
        return List.of(
                "one node after another streams all its replicas from " + from
                        + ", also those that it has: compact afterwards if it had them; the nodes there hold "
                        + DataSize.text(view, cluster, from),
                "every node goes on serving; while replicas in " + view.datacenter()
                        + " lack rows, reads there at ONE and LOCAL_QUORUM miss them",
                "an abort ends it after the keyspace that is streamed; what was streamed stays");
    }
}
