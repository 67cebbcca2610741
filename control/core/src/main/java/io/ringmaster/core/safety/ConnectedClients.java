package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView.ClientSeen;
import io.ringmaster.model.record.SpecRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The clients that are connected to a cluster in this datacenter, as its nodes report them. */
public final class ConnectedClients {
    private static final int MAX_NAMED = 5;

    private ConnectedClients() {}

    /**
     * Why keyspaces must not lose their replicas here yet, unless the spec was forced: clients are connected, or may be
     * connected to a node that does not report them. Nodes that were down when the removal was planned may have got
     * clients since.
     */
    public static Optional<String> beforeRemoval(View view, ClusterName cluster) {
        if (view.targetSpec(cluster).filter(SpecRecord::forced).isPresent()) {
            return Optional.empty();
        }
        return view.nodesOf(cluster).stream()
                .filter(n -> n.launched() && !n.leaving() && !LostNode.of(view, n))
                .filter(n -> view.status(n.id())
                        .filter(s -> s.ring() != null || s.mode() == OperatingMode.DOWN)
                        .isEmpty())
                .findFirst()
                .map(n -> AvailabilityCheck.unsettled(view, n)
                        .orElse(n.id().shortName() + " has not reported its clients yet"))
                .or(() -> refusal(view, cluster).map(Problem::line));
    }

    /** Why the datacenter must not leave; empty when no client is connected. */
    public static Optional<Problem> refusal(View view, ClusterName cluster) {
        Map<String, Integer> connections = new TreeMap<>();
        view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).map(NodeStatus::ring).stream())
                .flatMap(ring -> ring.clients().stream())
                .forEach(c -> connections.merge(title(c), c.connections(), Integer::sum));
        if (connections.isEmpty()) {
            return Optional.empty();
        }
        int clients = connections.size();
        return Optional.of(new Problem(
                ErrorCode.OPERATION_UNSAFE,
                "datacenters." + view.datacenter(),
                clients + (clients == 1 ? " client is" : " clients are") + " connected there: " + named(connections),
                "move them to another datacenter, or apply the spec with --force"));
    }

    private static String title(ClientSeen client) {
        return client.address() + " as " + client.user()
                + (client.driver().isEmpty() ? "" : " with " + client.driver());
    }

    private static String named(Map<String, Integer> connections) {
        List<String> most = connections.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MAX_NAMED)
                .map(e -> e.getKey() + " (" + e.getValue() + (e.getValue() == 1 ? " connection)" : " connections)"))
                .toList();
        int more = connections.size() - most.size();
        return most.stream().collect(Collectors.joining(", ")) + (more == 0 ? "" : ", and " + more + " more");
    }
}
