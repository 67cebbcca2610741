package io.ringmaster.simulator;

import io.ringmaster.controller.Controller;
import io.ringmaster.core.decide.Answer;
import io.ringmaster.core.spec.SpecText;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** How people speak to the servers, who may be away, refuse, or die before they answer. */
final class SimServers {
    private final World world;
    private int parameters;

    SimServers(World world) {
        this.world = world;
    }

    /** A value that no parameter had before. */
    int nextParameter() {
        return ++parameters;
    }

    /** Asks at any datacenter. */
    boolean ask(String what, Function<Controller, Answer<?>> request) {
        return ask(world.datacenter(world.chance.pick(World.DATACENTERS)), what, request);
    }

    /** @return whether it was accepted for sure */
    boolean ask(Datacenter datacenter, String what, Function<Controller, Answer<?>> request) {
        Optional<SimServer> leader = datacenter.leader().filter(SimServer::leads);
        if (leader.isEmpty()) {
            return false;
        }
        Optional<Answer<?>> answer = leader.get().ask(request);
        world.trace.add(
                "user",
                what + " at " + datacenter.name + ": "
                        + answer.map(SimServers::outcome).orElse("no answer"));
        return answer.filter(a -> a instanceof Answer.Accepted<?>).isPresent();
    }

    private static String outcome(Answer<?> answer) {
        return answer instanceof Answer.Refused<?> refused
                ? "refused " + refused.problems().stream().map(p -> p.line()).toList()
                : "accepted";
    }

    /** Applies a changed spec at any datacenter, if the cluster is known there. */
    void change(ClusterName cluster, Function<ClusterSpec, ClusterSpec> change) {
        ask("change " + cluster, c -> changed(c, cluster, change, false));
    }

    static Answer<?> changed(
            Controller controller, ClusterName cluster, Function<ClusterSpec, ClusterSpec> change, boolean forced) {
        return target(controller.view(), cluster)
                .<Answer<?>>map(spec -> apply(controller, change.apply(spec), forced))
                .orElseGet(() -> Answer.<Object>refused(List.of()));
    }

    static Answer<?> apply(Controller controller, ClusterSpec spec, boolean forced) {
        return controller.requests().applySpec(SpecText.write(spec), spec, null, "user", forced, false);
    }

    static Optional<ClusterSpec> target(View view, ClusterName cluster) {
        return record(view, cluster).map(SpecRecord::spec);
    }

    /** What a cluster that is not being deleted should be. */
    static Optional<SpecRecord> record(View view, ClusterName cluster) {
        return Optional.ofNullable(view.clusters().get(cluster))
                .filter(c -> !c.deleting())
                .flatMap(c -> view.targetSpec(cluster));
    }

    static List<Plan> open(View view, ClusterName cluster) {
        return view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && !p.status().isOver())
                .toList();
    }

    void replace(NodeId node) {
        Map<String, String> params = Map.of("node", node.datacenter() + "/" + node.shortName());
        ask(world.datacenter(node.datacenter()), "replace " + node, c -> c.requests()
                .ask("replace", node.cluster(), params, "user", "", false));
    }

    /** @param keyspace none: all that both datacenters keep */
    boolean rebuild(ClusterName cluster, DatacenterName datacenter, DatacenterName from, String keyspace) {
        Map<String, String> params = keyspace.isEmpty()
                ? Map.of("dc", datacenter.value(), "from", from.value())
                : Map.of("dc", datacenter.value(), "from", from.value(), "keyspaces", keyspace);
        return ask("rebuild " + params + " " + cluster, c -> c.requests()
                .ask("rebuild", cluster, params, "user", "", false));
    }

    void uncordon(Datacenter datacenter, MachineName machine) {
        ask(datacenter, "uncordon " + machine, c -> c.requests().uncordon(machine, "user"));
    }
}
