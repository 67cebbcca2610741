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
                "each node compares the partitions that it has, at random places in its ranges, with those that"
                        + " all replicas together have",
                "where more than 1 of 100 partitions of a table is missing, the node streams the keyspace again from "
                        + from + ", whose nodes hold " + DataSize.text(view, cluster, from),
                "every node keeps serving; each node reads a table 16 times at ALL, at most 200 partitions each time");
    }
}
