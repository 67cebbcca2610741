package io.ringmaster.core.lint;

import io.ringmaster.core.ring.Endpoints;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.Steps;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rules for the records that are stored together with a plan. */
final class RecordRules {
    private RecordRules() {}

    static List<String> specStored(PlanDraft plan) {
        return spec(plan).isPresent() ? List.of() : List.of("spec version " + plan.specVersion() + " is not stored");
    }

    static List<String> distinctPlaces(PlanDraft plan) {
        if (!plan.placesNodes()) {
            return List.of();
        }
        List<NodeRecord> nodes = List.copyOf(plan.nodesAfter().values());
        List<String> findings = new ArrayList<>();
        PlanDraft.twice(nodes.stream().map(n -> n.allocation().id().value()))
                .forEach(id -> findings.add("allocation " + id + " is given to two nodes"));
        PlanDraft.twice(nodes.stream().map(NodeRecord::allocation).flatMap(a -> sharedAddress(plan, a).stream()
                        .flatMap(address -> a.ports().all().stream().map(port -> address + ":" + port))))
                .forEach(port -> findings.add(port + " is given twice"));
        return findings;
    }

    /** The address of an allocation whose ports no other may have there; empty where addresses change. */
    private static Optional<String> sharedAddress(PlanDraft plan, Allocation allocation) {
        return plan.view().capabilities().fixedAddress()
                ? Endpoints.address(plan.view(), allocation)
                : Optional.empty();
    }

    static List<String> distinctTokens(PlanDraft plan) {
        return PlanDraft.twice(plan.ownNodesAfter().stream().flatMap(n -> n.tokens().stream())).stream()
                .map(token -> "token " + token + " is given to two nodes")
                .toList();
    }

    static List<String> placeKept(PlanDraft plan) {
        List<String> findings = new ArrayList<>();
        plan.puts(NodeRecord.class).forEach(after -> {
            NodeRecord before = plan.view().nodes().get(after.id());
            if (before == null || !before.joined()) {
                return;
            }
            if (!after.joined()) {
                findings.add(after.id() + " joined once and would count as new");
            }
            if (!before.allocation().id().equals(after.allocation().id())
                    || !before.allocation().machine().equals(after.allocation().machine())
                    || !before.rack().equals(after.rack())
                    || !before.tokens().equals(after.tokens())) {
                findings.add(after.id() + " joined once and would get another place in the ring");
            }
        });
        return findings;
    }

    static List<String> createdKept(PlanDraft plan) {
        ClusterRecord before = plan.view().clusters().get(plan.cluster());
        boolean forgets = before != null
                && before.created()
                && plan.clusterAfter()
                        .map(c -> !c.created() && !before.deleting())
                        .orElse(true);
        // a datacenter that leaves may forget it: the others still report the cluster as created
        return forgets && !Seeds.created(plan.view().with(plan.changes()), plan.cluster())
                ? List.of(plan.cluster() + " was created and would count as empty")
                : List.of();
    }

    static List<String> generationGrows(PlanDraft plan) {
        Map<NodeId, NodeRecord> before = plan.view().nodes();
        return plan.puts(NodeRecord.class)
                .flatMap(after -> {
                    NodeRecord known = before.get(after.id());
                    return known == null || after.generation() >= known.generation()
                            ? Stream.<String>empty()
                            : Stream.of(after.id() + " would go from generation " + known.generation() + " to "
                                    + after.generation());
                })
                .toList();
    }

    static List<String> seedsPlaced(PlanDraft plan) {
        boolean deploys = plan.steps().anyMatch(s -> Steps.is(s, DeployNode.class));
        Optional<DatacenterSpec> here =
                spec(plan).flatMap(s -> s.spec().datacenter(plan.view().datacenter()));
        if (!deploys || here.isEmpty() || Seeds.created(plan.view(), plan.cluster())) {
            return List.of();
        }
        Map<NodeId, NodeRecord> nodes = plan.nodesAfter();
        return IntStream.range(0, here.get().seeds())
                .mapToObj(i -> new NodeId(plan.cluster(), plan.view().datacenter(), i))
                .filter(id -> !nodes.containsKey(id))
                .map(id -> "seed " + id + " has no place")
                .toList();
    }

    private static Optional<SpecRecord> spec(PlanDraft plan) {
        return plan.view().spec(plan.cluster(), plan.specVersion()).or(() -> plan.puts(SpecRecord.class)
                .filter(s -> s.cluster().equals(plan.cluster()) && s.version() == plan.specVersion())
                .findFirst());
    }
}
