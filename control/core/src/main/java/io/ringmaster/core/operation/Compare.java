package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTask;
import java.util.List;

/**
 * Each selected node checks whether it has the data of another datacenter, and streams again the keyspaces that lack
 * some.
 */
final class Compare extends FromDatacenter {
    Compare() {
        super(NodeTask.Kind.COMPARE);
    }

    @Override
    public String summary() {
        return "check whether nodes have the data of another datacenter";
    }

    @Override
    List<String> notes(View view, ClusterName cluster, DatacenterName from) {
        return List.of(
                "each node looks for the partitions that all replicas in " + from
                        + " have: all of a small table, up to 20000 of a large one",
                "where one is missing, the node streams the keyspace again from " + from + ", whose nodes hold "
                        + DataSize.text(view, cluster, from),
                "every node keeps serving; each node asks the replicas one after another, 200 partitions at a time");
    }
}
