package io.ringmaster.simulator.user;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.step.AwaitDatacenter;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.ReconcileNodes;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.SyncDatacenter;
import io.ringmaster.core.step.VerifyRing;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.simulator.datacenter.ClusterViews;
import io.ringmaster.simulator.datacenter.Datacenter;
import io.ringmaster.simulator.datacenter.Datacenters;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A user who declares steps done that are not, aborts plans in any phase, and then applies the same spec or a grown
 * one.
 *
 * <p>Only steps that wait or check are declared done, and deployments of nodes while their cluster is not created: the
 * promises hold without them. A cleanup, a rebuild, a departure or a deployment of a live cluster that is declared done
 * loses rows or availability by the decision of the user.
 */
public final class ImpatientUser extends Participant {
    private final Datacenters datacenters;
    private final UserRequests requests;
    private final Map<DatacenterName, Set<ClusterName>> notDeployed = new TreeMap<>();

    public ImpatientUser(VirtualClock clock, Datacenters datacenters, UserRequests requests, SeededRandom random) {
        super(clock, random, 300, 6000);
        this.datacenters = datacenters;
        this.requests = requests;
    }

    /**
     * Deploys the nodes whose deployments were declared done: they do not run yet, or run an older version. A live
     * cluster is deployed in one datacenter at a time, because another one may count this version as settled.
     */
    public void deployForced() {
        notDeployed.forEach((name, clusters) -> clusters.removeIf(c -> deployForced(datacenters.get(name), c)));
    }

    private boolean deployForced(Datacenter datacenter, ClusterName cluster) {
        datacenter.leaderView().ifPresent(v -> ClusterViews.openPlans(v, cluster).stream()
                .filter(ImpatientUser::hasForcedDeployment)
                .forEach(p -> control(datacenter, p, PlanVerb.ABORT, "")));
        return datacenters.all().stream()
                        .filter(d -> d == datacenter || isCreated(d, cluster))
                        .allMatch(d -> isIdle(d, cluster))
                && deploy(datacenter, cluster);
    }

    private static boolean hasForcedDeployment(Plan plan) {
        return plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .anyMatch(s -> s.status() == StepState.Status.FORCED && isDeployment(s));
    }

    private static boolean isDeployment(StepState state) {
        return Steps.readable(state).filter(DeployNode.class::isInstance).isPresent();
    }

    private static boolean isCreated(Datacenter datacenter, ClusterName cluster) {
        return datacenter.leaderView().filter(v -> Seeds.created(v, cluster)).isPresent();
    }

    private static boolean isIdle(Datacenter datacenter, ClusterName cluster) {
        return datacenter
                .leaderView()
                .filter(v -> ClusterViews.openPlans(v, cluster).isEmpty())
                .isPresent();
    }

    private boolean deploy(Datacenter datacenter, ClusterName cluster) {
        return requests.ask(datacenter, "deploy " + cluster, c -> c.requests()
                .run("deploy", cluster, Map.of(), "impatient", false));
    }

    @Override
    protected void act() {
        Datacenter datacenter = datacenters.get(random.pick(World.DATACENTERS));
        ClusterName cluster = random.pick(Workload.CLUSTERS);
        boolean aborts = random.chance(0.3);
        datacenter.leaderView().ifPresent(view -> random.any(ClusterViews.openPlans(view, cluster))
                .ifPresent(plan -> {
                    if (aborts) {
                        abort(datacenter, plan);
                    } else {
                        force(datacenter, view, plan);
                    }
                }));
    }

    private void force(Datacenter datacenter, View view, Plan plan) {
        List<StepState> steps = plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .filter(s -> !s.status().isOver() && isNeedless(view, plan, s))
                .toList();
        random.any(steps).ifPresent(s -> {
            control(datacenter, plan, PlanVerb.FORCE_COMPLETE, s.name());
            if (isDeployment(s)) {
                notDeployed
                        .computeIfAbsent(datacenter.name(), d -> new TreeSet<>())
                        .add(plan.cluster());
            }
        });
    }

    private static boolean isNeedless(View view, Plan plan, StepState state) {
        return Steps.readable(state)
                .filter(s -> waits(s) || (s instanceof DeployNode && !Seeds.created(view, plan.cluster())))
                .isPresent();
    }

    private static boolean waits(Step step) {
        return step instanceof VerifyRing
                || step instanceof SyncDatacenter
                || step instanceof AwaitDatacenter
                || step instanceof ReconcileNodes;
    }

    private void abort(Datacenter datacenter, Plan plan) {
        int kind = random.between(0, 2);
        later(500, 15_000, () -> applyAgain(datacenter, plan.cluster(), kind));
        control(datacenter, plan, PlanVerb.ABORT, "");
    }

    private void applyAgain(Datacenter datacenter, ClusterName cluster, int kind) {
        switch (kind) {
            case 0 -> {
                if (notDeployed.values().stream().noneMatch(d -> d.contains(cluster))) {
                    deploy(datacenter, cluster);
                }
            }
            case 1 ->
                requests.ask(
                        datacenter,
                        "apply " + cluster + " again",
                        c -> UserRequests.changed(c, cluster, spec -> spec, false));
            default ->
                requests.ask(
                        datacenter,
                        "grow " + cluster,
                        c -> UserRequests.changed(c, cluster, this::withOneMoreNode, false));
        }
    }

    private ClusterSpec withOneMoreNode(ClusterSpec spec) {
        DatacenterSpec datacenter = random.pick(spec.datacenters());
        return RandomSpecs.withNodes(spec, datacenter.name(), Math.min(Workload.MAX_NODES, datacenter.nodes() + 1));
    }

    private void control(Datacenter datacenter, Plan plan, PlanVerb verb, String step) {
        requests.ask(datacenter, verb + " " + plan.id() + " " + plan.cluster() + " " + step, c -> c.requests()
                .control(plan.id(), verb, step.isEmpty() ? null : step, "impatient"));
    }
}
