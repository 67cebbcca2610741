package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DataSize;
import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Phase;
import java.util.List;
import java.util.Optional;

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
                "each node then repairs all its ranges, with all replicas: what it streamed came from one of them,"
                        + " which may lack rows that others have",
                "every node keeps serving; while replicas in " + view.datacenter()
                        + " lack rows, reads there at ONE and LOCAL_QUORUM miss them",
                "an abort takes effect after the keyspace in progress; streamed data stays");
    }

    /** Each range came from one replica, and a row that was acknowledged by others may be missing there. */
    @Override
    Optional<Phase> afterwards(View view, ClusterName cluster) {
        return Optional.of(RepairRanges.requested(view, cluster, false));
    }
}
