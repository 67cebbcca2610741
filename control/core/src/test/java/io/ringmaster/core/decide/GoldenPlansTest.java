package io.ringmaster.core.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Restores;
import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.operation.Delete;
import io.ringmaster.core.operation.Operation;
import io.ringmaster.core.operation.Operations;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RoleSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Plans of every operation on small fleets, as files for reviewers; {@code -Daccept=true} rewrites them. dc1 decides.
 */
class GoldenPlansTest {
    private static final Path FOLDER = Path.of("src/test/resources/golden/plans");

    private static final ClusterSpec DC1_ONLY = Samples.spec("rides", 3, 2);
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);
    private static final ClusterSpec DC2_FIRST = BOTH.withDatacenters(
            List.of(BOTH.datacenters().get(1), BOTH.datacenters().get(0)));
    private static final ClusterSpec DC2_ONLY =
            BOTH.withDatacenters(List.of(BOTH.datacenters().get(1)));

    private final Map<String, String> plans = new TreeMap<>();
    private final TreeSet<String> operations = new TreeSet<>();

    private static Scene live(ClusterSpec spec) {
        return Scene.live(spec).settled().replicas("trips", 3);
    }

    private static Scene liveInBoth() {
        return live(BOTH).peer(3, 1, 1, true, null);
    }

    private static ClusterSpec nodes(int count) {
        return Samples.spec("rides", count, 2);
    }

    /** With all the memory of a machine for each node. */
    private static ClusterSpec larger(ClusterSpec spec) {
        return new ClusterSpec(
                spec.name(),
                spec.cassandraVersion(),
                spec.preset(),
                spec.datacenters(),
                new NodeResources(1000, 4 * Samples.GIB, Samples.GIB, Samples.SMALL.diskBytes()),
                spec.jvm(),
                spec.cassandraYaml(),
                spec.placement());
    }

    /** The view before the cluster was declared here. */
    private static View undeclared(Scene scene) {
        return scene.view()
                .with(List.of(
                        new Change.Remove(new RecordKey.OfCluster(Scene.RIDES)),
                        new Change.Remove(new RecordKey.OfSpec(Scene.RIDES, 1))));
    }

    private void deploys() {
        apply("deploy-new", undeclared(Scene.declared(DC1_ONLY)), DC1_ONLY);
        apply("deploy-new-in-two-datacenters", undeclared(Scene.declared(BOTH)), BOTH);
        apply("deploy-new-refused-no-machine-fits", undeclared(Scene.declared(DC1_ONLY)), nodes(4));
        ClusterSpec live = BOTH.withCassandraYaml(Map.of("compaction_throughput", "24MiB/s"));
        apply("deploy-live-change", liveInBoth().view(), live);
        ClusterSpec restart = BOTH.withCassandraYaml(Map.of("concurrent_reads", 8));
        apply("deploy-restart-change", liveInBoth().view(), restart);
        Scene nodeDown = liveInBoth().says(2, OperatingMode.DOWN);
        apply("deploy-restart-change-node-down", nodeDown.view(), restart);
        Scene twoReplicas = Scene.live(DC1_ONLY).settled().replicas("trips", 2);
        ClusterSpec oneChange = DC1_ONLY.withCassandraYaml(Map.of("concurrent_reads", 8));
        apply("deploy-restart-change-two-replicas", twoReplicas.view(), oneChange);
        Scene shared = live(DC1_ONLY).stray("sales-dc1-node-0", AllocationState.Status.RUNNING);
        apply("deploy-refused-node-cannot-grow", shared.view(), larger(DC1_ONLY));
        apply("deploy-refused-order-of-datacenters", liveInBoth().view(), DC2_FIRST);
        Scene room = live(DC1_ONLY).with(Samples.machine(4, "r1"));
        apply("scale-up", room.view(), nodes(4));
        apply("scale-up-refused-no-machine-fits", live(DC1_ONLY).view(), nodes(4));
        Scene four = live(nodes(4)).with(Samples.machine(4, "r4"));
        apply("scale-down", four.view(), nodes(3));
        apply("scale-down-refused-too-few-for-replicas", live(DC1_ONLY).view(), nodes(2));
    }

    private void datacenters() {
        Scene joining = Scene.declared(DC2_ONLY).peer(3, 1, 1, true, null);
        apply("add-datacenter-joining", undeclared(joining), DC2_FIRST);
        apply("add-datacenter-existing", live(DC1_ONLY).view(), BOTH);
        Scene leaving = live(DC2_FIRST).peer(3, 1, 1, true, null);
        apply("remove-datacenter-leaving", leaving.view(), DC2_ONLY);
        Scene guarded = live(DC2_FIRST.withRoles(List.of())).peer(3, 1, 1, true, null);
        apply("remove-datacenter-with-roles", guarded.view(), DC2_ONLY.withRoles(List.of()));
        apply("remove-datacenter-remaining", liveInBoth().view(), DC1_ONLY);
        Scene used = live(DC2_FIRST).peer(3, 1, 1, true, null).client(0, "10.1.0.4", 2);
        apply("remove-datacenter-refused-clients", used.view(), DC2_ONLY);
        request("rebuild", liveInBoth().view(), "rebuild", Map.of("from", "dc2", "dc", "dc1"));
        request("compare", liveInBoth().view(), "compare", Map.of("from", "dc2", "node", "dc1/node-1"));
        request("rebuild-refused-source-selected", liveInBoth().view(), "rebuild", Map.of("from", "dc1"));
    }

    private void deletes() {
        start("delete", liveInBoth().view(), Delete.NAME, Map.of());
        start("delete-with-data", liveInBoth().view(), Delete.NAME, Map.of(Delete.DESTROY_DATA, "true"));
    }

    private void restarts() {
        request("restart", liveInBoth().view(), "restart", Map.of());
        request("restart-by-rack", live(DC1_ONLY).view(), "restart", Map.of("parallel", "rack"));
        Scene twoReplicas = Scene.live(DC1_ONLY).settled().replicas("trips", 2);
        request("restart-by-rack-refused-replicas", twoReplicas.view(), "restart", Map.of("parallel", "rack"));
        request("stop", live(DC1_ONLY).view(), "stop", Map.of());
        Scene stopped = live(DC1_ONLY);
        for (int i = 0; i < 3; i++) {
            stopped.record(i, r -> r.running(false)).says(i, OperatingMode.DOWN);
        }
        request("start", stopped.view(), "start", Map.of());
        request("write-roles-refused-none", live(DC1_ONLY).view(), "write-roles", Map.of());
        RoleSpec app = new RoleSpec(new RoleName("app"), true, false, PasswordSource.GENERATED, List.of(), List.of());
        ClusterSpec guarded = DC1_ONLY.withRoles(List.of(app));
        request("write-roles", live(guarded).view(), "write-roles", Map.of());
        request("replicate-roles-refused-none", live(DC1_ONLY).view(), "replicate-roles", Map.of());
        request("replicate-roles", live(guarded).view(), "replicate-roles", Map.of());
        Scene two = Scene.live(guarded).settled().replicas("trips", 2).roleReplicas(Map.of("dc1", 2));
        request("restart-two-replicas-of-roles", two.view(), "restart", Map.of());
        apply("deploy-refused-stopped", stopped.view(), DC1_ONLY.withCassandraYaml(Map.of("concurrent_reads", 8)));
    }

    private void repairs() {
        request("repair", liveInBoth().view(), "repair", Map.of());
        Map<String, String> one = Map.of("node", "dc1/node-1", "keyspaces", "trips", "intensity", "0.5");
        request("repair-one-node", liveInBoth().view(), "repair", one);
        request(
                "repair-refused-parameters",
                liveInBoth().view(),
                "repair",
                Map.of("intensity", "2", "max_age", "week"));
    }

    private void replacements() {
        Scene dead = live(DC1_ONLY)
                .with(Samples.machine(4, "r2"))
                .says(1, OperatingMode.DOWN)
                .machineLost(1);
        request("replace", dead.view(), "replace", Map.of("node", "dc1/node-1"));
        Scene daemonDown = live(DC1_ONLY).says(1, OperatingMode.DOWN).claim(1, AllocationState.Status.EXITED);
        request("replace-same-machine", daemonDown.view(), "replace", Map.of("node", "dc1/node-1"));
        request("replace-refused-node-up", live(DC1_ONLY).view(), "replace", Map.of("node", "dc1/node-1"));
        Scene room = live(DC1_ONLY).with(Samples.machine(4, "r2"));
        request("evacuate", room.view(), "evacuate", Map.of("machine", "dc1/machine-2"));
        Map<String, String> skip = Map.of("machine", "dc1/machine-2", "skip_repair", "true");
        request("evacuate-without-repair", room.view(), "evacuate", skip);
        request(
                "evacuate-refused-no-machine-fits",
                live(DC1_ONLY).view(),
                "evacuate",
                Map.of("machine", "dc1/machine-2"));
        Scene oneReplica =
                Scene.live(DC1_ONLY).settled().with(Samples.machine(4, "r2")).replicas("once", 1);
        request("evacuate-refused-one-replica", oneReplica.view(), "evacuate", Map.of("machine", "dc1/machine-2"));
    }

    private void maintenance() {
        for (String operation : List.of("flush", "compact", "cleanup", "garbage-collect", "upgradesstables")) {
            request(operation, live(DC1_ONLY).view(), operation, Map.of());
        }
        request("compact-one-node-silent", live(DC1_ONLY).silent(1).view(), "compact", Map.of());
        request("clear-snapshots", live(DC1_ONLY).says(1, OperatingMode.DOWN).view(), "clear-snapshots", Map.of());
        request("drain", live(DC1_ONLY).view(), "drain", Map.of("node", "dc1/node-2"));
        request("drain-refused-several-nodes", live(DC1_ONLY).view(), "drain", Map.of());
        request("refused-unknown-selection", liveInBoth().view(), "flush", Map.of("node", "dc1/node-7", "dc", "dc7"));
    }

    private void backups() {
        Map<String, String> to = Map.of("to", "main", "bandwidth", "100MiB/s");
        request("backup", liveInBoth().view(), "backup", to);
        Scene second = live(DC2_FIRST).peer(3, 1, 1, true, null).record(1, r -> r.needsCleanup(true));
        request("backup-of-second-datacenter", second.view(), "backup", Map.of("to", "main"));
        Map<String, String> wrong = Map.of("to", "../main", "bandwidth", "fast");
        request("backup-refused-parameters", liveInBoth().view(), "backup", wrong);
        Map<String, String> which = Map.of("from", "main", "backup", "20260101T110000Z-3f9c");
        request("backup-verify", liveInBoth().view(), "backup-verify", which);
        Map<String, String> kept = Map.of("to", "main", "keep_last", "4", "keep_daily", "7");
        request("backup-with-retention", liveInBoth().view(), "backup", kept);
        Map<String, String> ids = Map.of("from", "main", "backups", "20260101T110000Z-3f9c,20260101T100000Z-77aa");
        request("backup-delete", liveInBoth().view(), "backup-delete", ids);
        Map<String, String> malformed = Map.of("from", "main", "backups", "latest,20260101T110000Z");
        request("backup-delete-refused-ids", liveInBoth().view(), "backup-delete", malformed);
        request("backup-check", liveInBoth().view(), "backup-check", Map.of("to", "main"));
    }

    private void restores() {
        RestoreOrigin both = Restores.origin(List.of("a", "b", "c"), List.of("a", "b", "c"));
        ClusterSpec spec = Restores.spec(3, 2, 3, 2);
        apply("restore", undeclared(Scene.declared(BOTH)), spec, both);
        ClusterSpec second = spec.withDatacenters(DC2_FIRST.datacenters());
        RestoreOrigin reversed = new RestoreOrigin(
                both.cassandra(), both.cutAt(), false, List.of(Samples.DC2, Samples.DC1), both.nodes());
        apply("restore-of-second-datacenter", undeclared(Scene.declared(BOTH)), second, reversed);
        apply("restore-refused-other-shape", undeclared(Scene.declared(DC1_ONLY)), Restores.spec(3, 2), both);
    }

    private void apply(String name, View view, ClusterSpec spec) {
        apply(name, view, spec, null);
    }

    private void apply(String name, View view, ClusterSpec spec, @Nullable RestoreOrigin origin) {
        operations.add("deploy");
        PlanText text = new PlanText();
        text.fleet(view, Scene.RIDES);
        text.apply(view, spec);
        var answer = new SubmitSpec(view, "", spec, null, "anna", false, origin).answer();
        if (answer instanceof Answer.Accepted<Decision<ApplyResult>> accepted) {
            text.plan(planOf(accepted.value().changes()), accepted.value().changes());
        }
        put(name, text, answer);
    }

    private void start(String name, View view, String operation, Map<String, String> params) {
        operations.add(operation);
        PlanText text = requested(view, operation, params);
        var answer = new StartPlan(view, operation, Scene.RIDES, params, "anna").answer();
        if (answer instanceof Answer.Accepted<Decision<Plan>> accepted) {
            text.plan(planOf(accepted.value().changes()), accepted.value().changes());
        }
        put(name, text, answer);
    }

    private void request(String name, View view, String operation, Map<String, String> params) {
        operations.add(operation);
        PlanText text = requested(view, operation, params);
        var answer = new SubmitOperation(view, operation, Scene.RIDES, params, "anna", "").answer();
        if (answer instanceof Answer.Accepted<Decision<SubmitResult>> accepted) {
            text.plan(planOf(accepted.value().changes()), accepted.value().changes());
        }
        put(name, text, answer);
    }

    private static PlanText requested(View view, String operation, Map<String, String> params) {
        PlanText text = new PlanText();
        text.fleet(view, Scene.RIDES);
        text.request(operation, params);
        return text;
    }

    private static Plan planOf(List<Change> changes) {
        return changes.stream()
                .filter(c -> c.key().path().startsWith("plans/"))
                .map(c -> ((PlanRecord) ((Change.Put) c).record()).plan())
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    private void put(String name, PlanText text, Answer<?> answer) {
        if (answer instanceof Answer.Refused<?> refused) {
            text.refusal(refused.problems());
        }
        assertThat(plans.put(name, text.toString())).isNull();
    }

    private Map<String, String> all() {
        deploys();
        datacenters();
        deletes();
        restarts();
        repairs();
        replacements();
        maintenance();
        backups();
        restores();
        return plans;
    }

    @TestFactory
    Stream<DynamicTest> each_plan_is_as_its_file() throws IOException {
        if (Boolean.getBoolean("accept")) {
            Files.createDirectories(FOLDER);
        }
        return all().entrySet().stream()
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> {
                    Path file = FOLDER.resolve(e.getKey() + ".txt");
                    if (Boolean.getBoolean("accept")) {
                        Files.writeString(file, e.getValue());
                    }
                    assertThat(Files.readString(file)).isEqualTo(e.getValue());
                    assertThat(e.getValue().contains("\nrefused\n"))
                            .as("the name says whether the request is refused")
                            .isEqualTo(e.getKey().contains("refused"));
                }));
    }

    @Test
    void each_file_belongs_to_a_plan() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(f -> f.getFileName().toString().replace(".txt", "")))
                    .isSubsetOf(all().keySet());
        }
    }

    @Test
    void every_operation_of_the_catalogue_has_a_plan() {
        all();
        assertThat(operations)
                .containsExactlyInAnyOrderElementsOf(
                        Operations.all().stream().map(Operation::name).toList());
    }
}
