package io.ringmaster.integration;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.client.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Ends a server with SIGKILL whenever one of its plans has come to another step, and starts it again at once. */
final class DeathAtEachStep {
    private final Playground playground;
    private final List<String> datacenters;
    private final Set<String> seen = new HashSet<>();
    private final List<String> deaths = new ArrayList<>();

    /** Of what these datacenters are asked for from now on. */
    DeathAtEachStep(Playground playground, String... datacenters) {
        this.playground = playground;
        this.datacenters = List.of(datacenters);
        this.datacenters.forEach(d -> plans(d).forEach(p -> begun(p).forEach(s -> seen.add(name(p, s)))));
    }

    /**
     * Goes on until all their plans are over and the cluster is whole.
     *
     * @return the steps at which a server died, in their order
     */
    List<String> until(int nodes, Duration limit) {
        untilOver(limit);
        playground.whole(nodes, limit);
        return List.copyOf(deaths);
    }

    /**
     * Goes on until all their plans are over, whatever is left of the cluster.
     *
     * @return the steps at which a server died, in their order
     */
    List<String> untilOver(Duration limit) {
        Patience.until("the plans to be over", limit, this::isOver, over -> over);
        return List.copyOf(deaths);
    }

    /** Kills a server if it has come to another step. */
    private boolean isOver() {
        boolean over = true;
        for (String datacenter : datacenters) {
            for (Plan plan : plans(datacenter)) {
                over &= plan.status().isOver();
                for (StepState step : begun(plan)) {
                    if (seen.add(name(plan, step))) {
                        deaths.add(step.name());
                        DeadServer.of(playground, datacenter).comesBack();
                        return false;
                    }
                }
            }
        }
        return over && !deaths.isEmpty();
    }

    private List<Plan> plans(String datacenter) {
        return playground
                .client(datacenter)
                .plans(Playground.RIDES, Scope.LOCAL)
                .items();
    }

    private static List<StepState> begun(Plan plan) {
        return plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .filter(s -> s.status() != StepState.Status.PENDING)
                .toList();
    }

    private static String name(Plan plan, StepState step) {
        return plan.id() + " " + step.name();
    }
}
