package io.ringmaster.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.placement.Placement;
import io.ringmaster.core.tokens.Tokens;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.NodeRecordBuilder;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanLintTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final List<Machine> MACHINES =
            List.of(Samples.machine(1, "r1"), Samples.machine(2, "r2"), Samples.machine(3, "r3"));
    private static final SpecRecord STORED = new SpecRecord(RIDES, 1, SPEC, "", "anna", Samples.DC1, AT, "dc1-1");

    private static View view(List<ClusterRecord> clusters, List<NodeRecord> nodes) {
        Map<ClusterName, ClusterRecord> byName = new TreeMap<>();
        clusters.forEach(c -> byName.put(c.name(), c));
        Map<NodeId, NodeRecord> byId = new TreeMap<>();
        nodes.forEach(n -> byId.put(n.id(), n));
        return new View(
                AT,
                1,
                Samples.DC1,
                List.of(),
                List.of(),
                true,
                PoolCapabilities.OF_MACHINES,
                MACHINES.stream().collect(Collectors.toMap(Machine::name, m -> m)),
                Map.of(),
                byName,
                clusters.isEmpty() ? Map.of() : Map.of(RIDES, new TreeMap<>(Map.of(1L, STORED))),
                byId,
                Map.of(),
                Map.of(),
                Set.of(),
                Map.of(),
                Map.of());
    }

    private static ClusterRecord cluster(boolean created) {
        return Samples.cluster(RIDES, 1, created);
    }

    private static List<NodeRecord> nodes(boolean joined) {
        List<Allocation> allocations =
                Placement.place(SPEC, Samples.DC1, MACHINES, List.of(), List.of(0, 1, 2)).nodes().stream()
                        .map(n -> n.chosen().orElseThrow())
                        .toList();
        List<String> tokens = Tokens.forFirstCreation(
                SPEC, Samples.DC1, MACHINES.stream().map(Machine::rack).toList(), Set.of());
        return IntStream.range(0, 3)
                .mapToObj(i -> NodeRecordBuilder.builder(NodeRecord.placed(
                                allocations.get(i).node(),
                                allocations.get(i),
                                MACHINES.get(i).rack(),
                                List.of(tokens.get(i)),
                                1))
                        .generation(7)
                        .goodSpecVersion(joined ? 1 : 0)
                        .joined(joined)
                        .launched(true)
                        .reservedAt(AT)
                        .launchedAt(AT)
                        .build())
                .toList();
    }

    private static StepState step(String name, String type, Map<String, String> args) {
        return new StepState(name, type, args, Map.of(), StepState.Status.PENDING, null, null, null, null, null);
    }

    private static Phase deploy(Phase.Strategy strategy) {
        return new Phase(
                "deploy",
                strategy,
                IntStream.range(0, 3)
                        .mapToObj(i -> step(
                                "dc1 node-" + i,
                                "deploy-node",
                                Map.of("node", "rides/dc1/node-" + i, "spec_version", "1")))
                        .toList());
    }

    private static Phase verify() {
        return new Phase(
                "verify",
                Phase.Strategy.SERIAL,
                List.of(step("verify ring", "verify-ring", Map.of("cluster", "rides", "spec_version", "1"))));
    }

    private static List<Change> puts(List<NodeRecord> nodes) {
        return nodes.stream().<Change>map(Change.Put::new).toList();
    }

    private static PlanDraft firstDeploy(List<Change> changes, Phase... phases) {
        List<Change> all = new ArrayList<>(List.of(new Change.Put(STORED), new Change.Put(cluster(false))));
        all.addAll(changes);
        return new PlanDraft(view(List.of(), List.of()), RIDES, "deploy", Map.of(), 1, all, List.of(phases));
    }

    private static PlanDraft live(List<Change> changes, Phase... phases) {
        return new PlanDraft(
                view(List.of(cluster(true)), nodes(true)), RIDES, "deploy", Map.of(), 1, changes, List.of(phases));
    }

    private static List<String> findings(PlanDraft plan) {
        return PlanLint.problems(plan).stream().map(Problem::message).toList();
    }

    private static List<Change> changed(int index, UnaryOperator<NodeRecord> change) {
        return List.of(new Change.Put(change.apply(nodes(true).get(index))));
    }

    private static NodeRecord moved(NodeRecord n, Allocation allocation, List<String> tokens, long generation) {
        return NodeRecordBuilder.builder(n)
                .allocation(allocation)
                .tokens(tokens)
                .generation(generation)
                .build();
    }

    @Test
    void a_first_deploy_of_all_nodes_at_once_may_be_stored() {
        assertThat(findings(firstDeploy(puts(nodes(false)), deploy(Phase.Strategy.PARALLEL), verify())))
                .isEmpty();
    }

    @Test
    void nodes_of_a_created_cluster_are_never_changed_at_once() {
        assertThat(findings(live(List.of(), deploy(Phase.Strategy.SERIAL), verify())))
                .isEmpty();
        assertThat(findings(live(List.of(), deploy(Phase.Strategy.PARALLEL), verify())))
                .singleElement()
                .asString()
                .startsWith("one-node-at-a-time: phase 'deploy' changes several nodes of a created cluster at once");
    }

    @Test
    void a_cluster_that_another_datacenter_knows_as_created_counts_as_created() {
        PlanDraft plan = firstDeploy(puts(nodes(false)), deploy(Phase.Strategy.PARALLEL), verify());
        View seen = Samples.withPeer(plan.view(), STORED, true, AT);
        PlanDraft informed = new PlanDraft(seen, RIDES, "deploy", Map.of(), 1, plan.changes(), plan.phases());
        assertThat(findings(informed)).anyMatch(f -> f.startsWith("one-node-at-a-time"));
    }

    @Test
    void a_step_name_is_unique_and_a_phase_has_steps() {
        Phase twice = new Phase(
                "deploy",
                Phase.Strategy.SERIAL,
                List.of(verify().steps().get(0), verify().steps().get(0)));
        assertThat(findings(live(List.of(), twice, new Phase("nothing", Phase.Strategy.SERIAL, List.of()))))
                .satisfiesExactly(
                        f -> assertThat(f).startsWith("distinct-steps: step 'verify ring' appears twice"),
                        f -> assertThat(f).startsWith("no-empty-phase: phase 'nothing' has no steps"));
    }

    @Test
    void a_step_must_be_in_the_catalogue_with_all_its_arguments() {
        Phase strange = new Phase(
                "strange",
                Phase.Strategy.SERIAL,
                List.of(step("polish", "polish-node", Map.of()), step("release", "release-node", Map.of())));
        assertThat(findings(live(List.of(), strange)))
                .satisfiesExactly(
                        f -> assertThat(f).startsWith("known-steps: step 'polish' is of unknown type 'polish-node'"),
                        f -> assertThat(f).startsWith("known-steps: argument 'node' is missing"));
    }

    @Test
    void a_volume_is_destroyed_only_on_request() {
        Phase release = new Phase(
                "release",
                Phase.Strategy.PARALLEL,
                List.of(step(
                        "dc1 node-0 release",
                        "release-node",
                        Map.of("node", "rides/dc1/node-0", "destroy_volume", "true"))));
        PlanDraft plan = live(List.of(), release);
        assertThat(findings(plan))
                .singleElement()
                .asString()
                .startsWith("volume-kept: step 'dc1 node-0 release' destroys a volume");
        assertThat(findings(new PlanDraft(
                        plan.view(), RIDES, "delete", Map.of("destroy_data", "true"), 1, List.of(), List.of(release))))
                .isEmpty();
    }

    @Test
    void a_deploy_ends_with_a_verification_of_the_ring() {
        assertThat(findings(live(List.of(), verify(), deploy(Phase.Strategy.SERIAL))))
                .singleElement()
                .asString()
                .startsWith("verified: no verification after the last node");
    }

    @Test
    void no_two_nodes_get_one_allocation_port_or_token() {
        List<NodeRecord> nodes = nodes(false);
        NodeRecord copied =
                moved(nodes.get(1), nodes.get(0).allocation(), nodes.get(0).tokens(), 7);
        assertThat(findings(
                        firstDeploy(puts(List.of(nodes.get(0), copied)), deploy(Phase.Strategy.PARALLEL), verify())))
                .anyMatch(f -> f.startsWith("distinct-places: allocation rides-dc1-node-0 is given to two nodes"))
                .anyMatch(f -> f.startsWith("distinct-places: 127.1.1.1:7000 is given twice"))
                .anyMatch(f -> f.startsWith("distinct-tokens: token -9223372036854775807 is given to two nodes"));
    }

    @Test
    void a_node_with_data_keeps_its_place_and_its_generation_grows() {
        assertThat(findings(live(changed(0, n -> moved(n, n.allocation(), List.of("5"), 8)))))
                .singleElement()
                .asString()
                .startsWith("place-kept: rides/dc1/node-0 joined once and would get another place in the ring");
        assertThat(findings(live(changed(0, n -> moved(n, n.allocation(), n.tokens(), 6)))))
                .singleElement()
                .asString()
                .startsWith("generation-grows: rides/dc1/node-0 would go from generation 7 to 6");
        assertThat(findings(live(List.of(new Change.Put(nodes(false).get(0))))))
                .singleElement()
                .asString()
                .startsWith("place-kept: rides/dc1/node-0 joined once and would count as new");
    }

    @Test
    void a_created_cluster_never_counts_as_empty_again() {
        assertThat(findings(live(List.of(new Change.Put(cluster(false))))))
                .singleElement()
                .asString()
                .startsWith("created-kept: rides was created and would count as empty");
        assertThat(findings(live(List.of(new Change.Remove(new RecordKey.OfCluster(RIDES))))))
                .isEmpty();
    }

    @Test
    void the_spec_of_a_plan_is_stored_and_every_seed_has_a_place() {
        PlanDraft plan = firstDeploy(puts(nodes(false).subList(0, 1)), deploy(Phase.Strategy.PARALLEL), verify());
        assertThat(findings(plan))
                .singleElement()
                .asString()
                .startsWith("seeds-placed: seed rides/dc1/node-1 has no place");
        assertThat(findings(new PlanDraft(plan.view(), RIDES, "deploy", Map.of(), 2, List.of(), List.of())))
                .singleElement()
                .asString()
                .startsWith("spec-stored: spec version 2 is not stored");
    }

    @Test
    void every_finding_names_what_would_go_wrong_and_says_that_nothing_was_changed() {
        assertThat(PlanLint.problems(live(List.of(), deploy(Phase.Strategy.PARALLEL), verify())))
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.message()).endsWith("(replicas of the same data would be down together)");
                    assertThat(p.nextStep()).asString().contains("nothing was changed");
                });
        assertThat(Stream.of(PlanLint.RULES.toArray()).distinct().count()).isEqualTo(PlanLint.RULES.size());
    }
}
