package io.ringmaster.cli.screen;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Plans of {@link Fleet} for screens: one in the middle of its work, one failed. */
final class FleetPlans {
    private FleetPlans() {}

    static StepState step(
            String name, StepState.Status status, double from, @Nullable Double to, @Nullable String reason) {
        return step("deploy-node", name, status, from, to, reason);
    }

    static StepState step(
            String type,
            String name,
            StepState.Status status,
            double from,
            @Nullable Double to,
            @Nullable String reason) {
        return new StepState(
                name,
                type,
                args(name),
                Map.of(),
                status,
                status == StepState.Status.PENDING ? null : Fleet.at(from),
                to == null ? null : Fleet.at(to),
                reason,
                reason == null ? null : Fleet.at(from + 1),
                null);
    }

    /** A change that Cassandra took live. */
    static StepState live(String name) {
        return new StepState(
                name,
                "deploy-node",
                args(name),
                Map.of("live", "true"),
                StepState.Status.DONE,
                Fleet.at(0),
                Fleet.at(1),
                "live: NORMAL",
                Fleet.at(1),
                null);
    }

    private static Map<String, String> args(String step) {
        String[] words = step.split(" ", -1);
        return step.contains("node-") ? Map.of("node", Fleet.RIDES + "/" + words[0] + "/" + words[1]) : Map.of();
    }

    static Plan plan(String dc, PlanStatus status, @Nullable Problem problem, Phase... phases) {
        return new Plan(
                new PlanId(new DatacenterName(dc), 1),
                Fleet.RIDES,
                "deploy",
                Map.of(),
                1,
                "root",
                null,
                Fleet.T0,
                status == PlanStatus.COMPLETE ? Fleet.at(18.7) : null,
                status,
                List.of(phases),
                List.of("a new cluster: all nodes start at once"),
                problem,
                null);
    }

    /** In the middle of the first deploy, 14 s after its start. */
    static PlanView deploying() {
        List<Plan> plans = new ArrayList<>();
        for (String dc : List.of("dc1", "dc2")) {
            boolean first = dc.equals("dc1");
            plans.add(plan(
                    dc,
                    PlanStatus.RUNNING,
                    null,
                    new Phase(
                            "reconciliation",
                            Phase.Strategy.SERIAL,
                            List.of(step("reconcile", StepState.Status.DONE, 0, 0.2, "no node runs yet"))),
                    new Phase(
                            "sync-datacenter",
                            Phase.Strategy.SERIAL,
                            List.of(step(
                                    "sync " + (first ? "dc2" : "dc1"),
                                    StepState.Status.DONE,
                                    0.2,
                                    0.6,
                                    first ? "dc1 <-> dc2: 4 seeds" : "dc2 <-> dc1: 4 seeds"))),
                    new Phase(
                            "deploy",
                            Phase.Strategy.PARALLEL,
                            List.of(
                                    step(
                                            dc + " node-0",
                                            first ? StepState.Status.DONE : StepState.Status.RUNNING,
                                            0.6,
                                            first ? 8.5 : null,
                                            "daemon up, reading system tables"),
                                    step(
                                            dc + " node-1",
                                            StepState.Status.WAITING,
                                            0.6,
                                            null,
                                            "schema agreement with dc2 node-1"),
                                    step(dc + " node-2", StepState.Status.RUNNING, 0.6, null, "the executor starts"))),
                    new Phase(
                            "verification",
                            Phase.Strategy.SERIAL,
                            List.of(step("verify ring", StepState.Status.PENDING, 0, null, null)))));
        }
        Map<NodeId, NodeState> nodes = new java.util.HashMap<>();
        for (String dc : List.of("dc1", "dc2")) {
            OperatingMode zero = dc.equals("dc1") ? OperatingMode.NORMAL : OperatingMode.STARTING;
            for (NodeState n : List.of(
                    Fleet.node(dc, 0, zero, ""),
                    Fleet.node(dc, 1, OperatingMode.JOINING, ""),
                    Fleet.node(dc, 2, OperatingMode.LAUNCHED, ""))) {
                nodes.put(n.node(), n);
            }
        }
        return new PlanView(plans, nodes, Fleet.at(14));
    }

    static PlanView failed() {
        Problem problem = new Problem(
                ErrorCode.CONFIGURATION_REJECTED,
                "cassandra_yaml.concurrent_reads",
                "Cassandra refused the configuration: Invalid yaml: concurrent_reads must be positive, but was -5",
                "apply a spec with another value; version 1 was put back on dc1 node-0");
        StepState bad = new StepState(
                "dc1 node-0",
                "any",
                args("dc1 node-0"),
                Map.of(),
                StepState.Status.FAILED,
                Fleet.at(1),
                Fleet.at(5),
                "put back",
                Fleet.at(5),
                problem);
        Plan plan = plan(
                "dc1",
                PlanStatus.FAILED,
                problem,
                new Phase(
                        "reconfigure",
                        Phase.Strategy.SERIAL,
                        List.of(bad, step("dc1 node-1", StepState.Status.PENDING, 0, null, null))));
        NodeState n = Fleet.node("dc1", 0, OperatingMode.NORMAL, "");
        return new PlanView(List.of(plan), Map.of(n.node(), n), Fleet.at(14));
    }
}
