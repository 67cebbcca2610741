package io.ringmaster.core.status;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the nodes of a cluster here that serve and accept no clients, although its spec does not ask for that. */
record ClientFindings(View view, ClusterName cluster) {

    List<Finding> all() {
        List<NodeRecord> closed = view.nodesOf(cluster).stream()
                .filter(n -> access(n)
                        .filter(a -> a != ClientAccess.OPEN && isWanted(n))
                        .isPresent())
                .toList();
        return Seeds.created(view, cluster)
                ? closed.stream()
                        .filter(n ->
                                access(n).filter(ClientAccess.CLOSED::equals).isPresent())
                        .map(ClientFindings::closedByHand)
                        .toList()
                : notCreated(closed).stream().toList();
    }

    private Optional<Finding> notCreated(List<NodeRecord> closed) {
        boolean continues = view.plans().values().stream()
                .anyMatch(p -> p.cluster().equals(cluster) && !p.status().isOver());
        return closed.isEmpty() || continues
                ? Optional.empty()
                : Optional.of(new Finding(
                        cluster.value(),
                        Problem.of(
                                ErrorCode.PLAN_STATE,
                                "is not created, and no plan here is open: its nodes accept no clients",
                                "apply its spec again at a server of " + view.datacenter()),
                        null));
    }

    private static Finding closedByHand(NodeRecord node) {
        return new Finding(
                node.id().inCluster(),
                Problem.of(
                        ErrorCode.DAEMON_FAILED,
                        "accepts no clients: CQL is closed",
                        Advice.restartNode(node.id()).suffix(", or open it with nodetool enablebinary")),
                null);
    }

    private Optional<ClientAccess> access(NodeRecord node) {
        return view.status(node.id())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .flatMap(s -> Stream.ofNullable(s.ring()).findFirst())
                .flatMap(r -> Optional.ofNullable(r.clientAccess()));
    }

    private boolean isWanted(NodeRecord node) {
        return view.spec(cluster, node.specVersion())
                .filter(s -> s.spec().opensCql())
                .isPresent();
    }
}
