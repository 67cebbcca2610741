package io.ringmaster.core.operation;

import io.ringmaster.core.assess.RoleReplicas;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.step.RoleTaskArgs;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.WriteRoles;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How a cluster gets the roles of its spec. The first datacenter writes them, once the ring is verified; before that a
 * row would be missing on a node that joins without bootstrap. The other datacenters do not wait for it. Each
 * datacenter of a created cluster keeps the replication of roles in step with its number of nodes.
 */
final class RolePhases {
    static final String NAME = "roles";
    private static final int REPLICAS = 3;

    private RolePhases() {}

    /** The last phase of a deploy that creates the cluster. */
    static List<Phase> created(View view, SpecRecord target) {
        ClusterSpec spec = target.spec();
        return spec.requiresLogin() && isFirst(view, spec)
                ? List.of(write(target.cluster(), RoleTaskArgs.of(spec, List.of(), Set.copyOf(spec.datacenterNames()))))
                : List.of();
    }

    /** The phases of a created cluster, after nodes have joined and before others leave. */
    static List<Phase> live(View view, SpecRecord target) {
        ClusterSpec spec = target.spec();
        if (!spec.requiresLogin()) {
            return List.of();
        }
        Optional<Map<String, Integer>> replicas = RoleReplicas.reported(view, target.cluster());
        boolean never = replicas.filter(r -> !r.containsKey("*")).isEmpty();
        DatacenterSpec here = spec.datacenter(view.datacenter()).orElseThrow();
        int count = replicas.map(r -> r.getOrDefault(here.name().value(), 0)).orElse(0);
        boolean grows = count < Math.min(REPLICAS, here.nodes());
        boolean changes = grows || count > here.nodes();
        List<Phase> phases = new ArrayList<>();
        if (isFirst(view, spec)) {
            List<ClusterSpec> former = former(view, target);
            Set<DatacenterName> datacenters = never ? Set.copyOf(spec.datacenterNames()) : Set.of(here.name());
            boolean rolesChange = view.settledSpecVersion(target.cluster()) == 0
                    || former.isEmpty()
                    || former.stream().anyMatch(s -> !Objects.equals(spec.roles(), s.roles()));
            if (changes || never || rolesChange) {
                phases.add(write(target.cluster(), RoleTaskArgs.of(spec, former, datacenters)));
            }
        } else if (changes && !never) {
            phases.add(write(target.cluster(), RoleTaskArgs.replication(Stream.of(here))));
        }
        if (grows && !phases.isEmpty()) {
            phases.add(repair(target.cluster(), here));
        }
        return phases;
    }

    private static Phase write(ClusterName cluster, Map<String, String> args) {
        return Steps.phase(NAME, Phase.Strategy.SERIAL, Stream.of(new WriteRoles(cluster, args)));
    }

    /** Roles that users made are not on the new replicas yet. */
    private static Phase repair(ClusterName cluster, DatacenterSpec here) {
        Stream<Step> each = IntStream.range(0, here.nodes())
                .mapToObj(i -> RunTask.forSpec(
                        new NodeId(cluster, here.name(), i),
                        NodeTask.Kind.REPAIR,
                        Map.of("keyspaces", RoleReplicas.KEYSPACE, RunTask.REPLICA_RANGES, "true")));
        return Steps.phase("repair-roles", Phase.Strategy.SERIAL, each);
    }

    private static boolean isFirst(View view, ClusterSpec spec) {
        return spec.datacenterNames().get(0).equals(view.datacenter());
    }

    /**
     * The versions whose roles the cluster may have: a deploy that did not end may have written some of its roles, the
     * first one too. Empty before the cluster is created.
     */
    private static List<ClusterSpec> former(View view, SpecRecord target) {
        long settled = view.settledSpecVersion(target.cluster());
        return !Seeds.created(view, target.cluster())
                ? List.of()
                : view.versions(target.cluster()).values().stream()
                        .filter(s -> s.version() >= settled && s.version() < target.version())
                        .map(SpecRecord::spec)
                        .toList();
    }
}
