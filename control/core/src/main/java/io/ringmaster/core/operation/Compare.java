package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTask;
import java.util.List;

/** Each chosen node looks whether what another datacenter has is here too, and streams again what lacks some of it. */
final class Compare extends FromDatacenter {
    Compare() {
        super(NodeTask.Kind.COMPARE);
    }

    @Override
    public String summary() {
        return "look whether nodes have what another datacenter has";
    }

    @Override
    List<String> notes(View view, ClusterName cluster, DatacenterName from) {
        return List.of(
                "at places drawn at random in each node's ranges, the partitions that it has are compared with those that all"
                        + " replicas together know",
                "where more than one of a hundred is missing of a table the node streams the keyspace again from "
                        + from + ", whose nodes hold " + DataSize.text(view, cluster, from),
                "every node goes on serving; sixteen reads at ALL, of 200 partitions at most, are made of each table");
    }
}
