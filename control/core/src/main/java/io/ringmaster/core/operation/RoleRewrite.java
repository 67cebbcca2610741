package io.ringmaster.core.operation;

import io.ringmaster.core.step.RewriteRoles;
import io.ringmaster.core.step.RoleTaskArgs;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The first datacenter writes the roles of the spec again, after somebody changed them by CQL. */
public final class RoleRewrite implements Operation {
    public static final String NAME = "write-roles";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "write the declared roles again, after somebody changed them by CQL";
    }

    @Override
    public Optional<LockScope> lockScope() {
        return Optional.of(LockScope.NODES);
    }

    @Override
    public List<Param> params() {
        return List.of();
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        return NodeSelector.plan(view, cluster, Map.of(), nodes -> draft(view, cluster));
    }

    private static Planned draft(View view, ClusterName cluster) {
        ClusterSpec spec = view.targetSpec(cluster).orElseThrow().spec();
        if (spec.roles() == null) {
            return new Planned.Refused(List.of(Problem.of(
                    ErrorCode.REQUEST_INVALID,
                    "the spec of " + cluster + " declares no roles",
                    Advice.of("only roles that a spec declares are written: docs/roles.md"))));
        }
        DatacenterName first = spec.datacenterNames().get(0);
        if (!first.equals(view.datacenter())) {
            return new Planned.NotConcerned("a node of " + first + " writes the roles");
        }
        Phase phase = Steps.phase(
                RolePhases.NAME, Phase.Strategy.SERIAL, Stream.of(new RewriteRoles(cluster, RoleTaskArgs.again(spec))));
        return NodeSelector.draft(
                view,
                cluster,
                List.of(phase),
                List.of(
                        "login, superuser, password, members and permissions become what the spec declares; no node"
                                + " restarts, and open sessions stay",
                        "roles and permissions that users made stay"));
    }
}
