package io.ringmaster.core.operation;

import io.ringmaster.core.step.StartStopNode;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.request.LockScope;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stops a whole cluster and keeps its data, or starts it again. */
public final class StartStopCluster implements Operation {
    private final boolean on;

    StartStopCluster(boolean on) {
        this.on = on;
    }

    @Override
    public String name() {
        return on ? "start" : "stop";
    }

    @Override
    public String summary() {
        return on ? "start a stopped cluster" : "drain and stop all daemons of a cluster; its data is kept";
    }

    @Override
    public Optional<LockScope> lockScope() {
        return Optional.of(LockScope.RING);
    }

    @Override
    public List<Param> params() {
        return List.of();
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        return NodeSelector.plan(
                view,
                cluster,
                Map.of(),
                nodes -> NodeSelector.draft(
                        view,
                        cluster,
                        List.of(NodeSelector.phase(
                                name(), Phase.Strategy.PARALLEL, nodes, n -> new StartStopNode(n.id(), on))),
                        List.of(
                                on
                                        ? "datacenter by datacenter, all nodes of each at once: every node starts with"
                                                + " its data; nothing moves"
                                        : "datacenter by datacenter, all nodes of each at once: every request there"
                                                + " fails until the cluster is started again; volumes and allocations"
                                                + " are kept; nothing moves")));
    }
}
