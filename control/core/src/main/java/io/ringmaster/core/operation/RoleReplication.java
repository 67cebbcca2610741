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

/**
 * The first datacenter brings the replication of roles in step with the datacenters of the ring. Cassandra keeps a
 * datacenter in it while that has a member, so the datacenter that leaves cannot take itself out.
 */
public final class RoleReplication implements Operation {
    public static final String NAME = "replicate-roles";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "take datacenters that have left out of the replication of roles; requested automatically";
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
        if (!spec.requiresLogin()) {
            return new Planned.Refused(List.of(Problem.of(
                    ErrorCode.REQUEST_INVALID,
                    "the spec of " + cluster + " has no roles",
                    Advice.of("replicate system_auth by CQL: ALTER KEYSPACE system_auth"))));
        }
        DatacenterName first = spec.datacenterNames().get(0);
        if (!first.equals(view.datacenter())) {
            return new Planned.NotConcerned("a node of " + first + " alters the replication of roles");
        }
        Phase phase = Steps.phase(
                RolePhases.NAME,
                Phase.Strategy.SERIAL,
                Stream.of(new RewriteRoles(cluster, RoleTaskArgs.replication(spec.datacenter(first).stream()))));
        return NodeSelector.draft(
                view,
                cluster,
                List.of(phase),
                List.of(
                        "keyspace system_auth names only datacenters with nodes in the ring afterwards; roles,"
                                + " permissions and open sessions stay",
                        "until then CREATE ROLE, GRANT and the like fail: EACH_QUORUM counts the datacenter that left"));
    }
}
