package io.ringmaster.simulator.invariant;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.simulator.world.World;
import java.util.HashSet;
import java.util.Set;

/**
 * What a deploy blames: it is put back only if a daemon exited with its version of the spec, or refused a parameter, or
 * if the executor failed itself. A step fails for the latter only where that is so.
 */
final class DeployInvariants {
    private static final String NAME = "good-deploy-stays";

    private final World world;
    /** A node that is replaced later takes what it knows of its daemons along. */
    private final Set<String> judged = new HashSet<>();

    DeployInvariants(World world) {
        this.world = world;
    }

    void check(Plan plan) {
        plan.phases().stream().flatMap(p -> p.steps().stream()).forEach(s -> {
            boolean executorFailed =
                    s.node().filter(world.executorFailures()::contains).isPresent();
            if (s.problem() != null && s.problem().code() == ErrorCode.EXECUTOR_FAILED && !executorFailed) {
                throw new Violation(NAME, plan.id() + " " + s.name() + " fails: " + s.problem());
            }
            if (s.type().equals(StepState.DEPLOY_NODE)
                    && "put-back".equals(s.memory().get("stage"))
                    && judged.add(plan.id() + " " + s.name() + " " + s.startedAt())) {
                s.node().ifPresent(n -> checkPutBack(n, Long.parseLong(s.args().getOrDefault("spec_version", "0"))));
            }
        });
    }

    private void checkPutBack(NodeId node, long version) {
        boolean failed = world.executorFailures().contains(node)
                || world.nodesOf(node.cluster()).stream()
                        .filter(n -> n.id().equals(node))
                        .anyMatch(n -> n.executor().hasFailedWith(version));
        if (!failed) {
            throw new Violation(
                    NAME, "version " + version + " is put back on " + node + ", and neither failed with it");
        }
    }
}
