package io.ringmaster.pool.kubernetes;

import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.LAUNCHING;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationState.Status;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.ports.FakePoolRecords;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The pool on a played API server, which fails when a test wants it to. */
@Timeout(120)
class PlayedClusterTest {
    private static final long EPOCH = 3;
    private static final String NAME = Samples.ALLOCATION.id().value();
    private static final String RUNS =
            """
            {'phase': 'Running', 'podIP': '10.1.0.7', 'containerStatuses': [{'name': 'cassandra', 'image': 'x',
              'imageID': '', 'ready': true, 'restartCount': 0,
              'state': {'running': {'startedAt': '2026-03-01T11:00:00Z'}}}]}""";

    private static final String NODE =
            """
            {'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': 'n1', 'labels': {'pool': 'cassandra'}}, 'spec': {}, 'status': {
             'allocatable': {'cpu': '8', 'memory': '16Gi', 'ephemeral-storage': '100Gi'},
             'conditions': [{'type': 'Ready', 'status': 'True'}]}}""";

    private final List<Fact> facts = new CopyOnWriteArrayList<>();
    private final PlayedCluster cluster;
    private final KubernetesPool pool;

    PlayedClusterTest(@TempDir Path folder) throws IOException {
        cluster = new PlayedCluster();
        cluster.put("namespaces", "{'metadata': {'name': 'rides-dc1'}}");
        cluster.put(
                "storageclasses", "{'metadata': {'name': 'local-disks'}, 'volumeBindingMode': 'WaitForFirstConsumer'}");
        cluster.put("nodes", NODE);
        KubernetesPoolSettings s = Samples.SETTINGS;
        pool = new KubernetesPool(new KubernetesPoolSettings(
                s.datacenter(),
                cluster.kubeconfig(folder),
                "test",
                s.namespace(),
                s.machines(),
                s.rackLabel(),
                s.image(),
                s.imagePullPolicy(),
                s.storageClass(),
                s.locationsSecret(),
                s.diskBytes(),
                s.doors()));
    }

    @BeforeEach
    void start() {
        pool.start(facts::add, new FakePoolRecords());
    }

    @AfterEach
    void close() {
        pool.close();
        cluster.close();
    }

    private AllocationState await(Status status) throws InterruptedException {
        Fact.AllocationChanged fact = (Fact.AllocationChanged)
                await(f -> f instanceof Fact.AllocationChanged c && c.state().status() == status);
        return fact.state();
    }

    /** The first such fact, which is taken away with all before it. */
    private Fact await(Predicate<Fact> wanted) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        while (System.nanoTime() < end) {
            for (int i = 0; i < facts.size(); i++) {
                Fact fact = facts.get(i);
                if (wanted.test(fact)) {
                    facts.subList(0, i + 1).clear();
                    return fact;
                }
            }
            Thread.sleep(10);
        }
        throw new AssertionError("not among " + facts);
    }

    private void reserve() throws InterruptedException {
        pool.reserve(new Command.Reserve(Samples.ALLOCATION), EPOCH);
        await(RESERVED);
    }

    private void launch(long generation) {
        pool.launch(new Command.Launch(Samples.ALLOCATION, Samples.VERSION, generation), EPOCH);
    }

    @Test
    void an_allocation_lives_and_ends() throws InterruptedException, IOException {
        assertThat(await(f -> f instanceof Fact.PoolSeen).toString()).contains("n1");
        reserve();
        assertThat(cluster.get("secrets", NAME)).isPresent();
        launch(1);
        await(LAUNCHING);
        await(f -> cluster.get("pods", NAME).isPresent());
        cluster.status("pods", NAME, RUNS);
        assertThat(await(RUNNING).address()).isEqualTo("10.1.0.7");
        assertThat(pool.access(Samples.ALLOCATION.id()).orElseThrow().baseUrl()).hasToString("http://10.1.0.7:9500");
        pool.kill(new Command.Kill(Samples.ALLOCATION.id()), EPOCH);
        assertThat(await(RESERVED).address()).isEqualTo("10.1.0.7");
        assertThat(cluster.get("pods", NAME)).isEmpty();
        pool.release(new Command.Release(Samples.ALLOCATION.id(), true), EPOCH);
        await(f -> f instanceof Fact.AllocationGone);
        assertThat(cluster.get("persistentvolumeclaims", NAME)).isEmpty();
        assertThat(cluster.get("secrets", NAME)).isEmpty();
    }

    @Test
    void a_budget_keeps_all_but_one_pod_of_a_cluster_and_goes_with_the_last() throws InterruptedException, IOException {
        reserve();
        launch(1);
        await(f -> cluster.get("poddisruptionbudgets", "rides-dc1")
                .filter(b -> b.at("/spec/minAvailable").asInt(-1) == 0)
                .isPresent());
        assertThat(cluster.get("poddisruptionbudgets", "rides-dc1")
                        .orElseThrow()
                        .at("/spec/selector/matchLabels")
                        .toString())
                .contains("\"ringmaster.io/cluster\":\"rides\"", "\"app.kubernetes.io/component\":\"node\"");
        cluster.put(
                "poddisruptionbudgets",
                cluster.get("poddisruptionbudgets", "rides-dc1")
                        .orElseThrow()
                        .toString()
                        .replace("\"minAvailable\":0", "\"maxUnavailable\":1"));
        pool.kill(new Command.Kill(Samples.ALLOCATION.id()), EPOCH);
        await(f -> cluster.get("poddisruptionbudgets", "rides-dc1")
                .filter(b -> b.at("/spec/minAvailable").asInt(-1) == 0
                        && b.at("/spec/maxUnavailable").isMissingNode())
                .isPresent());
        pool.release(new Command.Release(Samples.ALLOCATION.id(), false), EPOCH);
        await(f -> cluster.get("poddisruptionbudgets", "rides-dc1").isEmpty());
    }

    @Test
    void a_budget_that_cannot_be_kept_is_reported_of_its_cluster_until_it_is_kept() throws InterruptedException {
        cluster.failNext("POST", "poddisruptionbudgets");
        reserve();
        await(f -> f instanceof Fact.PoolSeen seen
                && seen.warnings().containsKey(Samples.ALLOCATION.node().cluster())
                && seen.warnings().toString().contains("a drain may evict several of its pods at once: "));
        await(f -> f instanceof Fact.PoolSeen seen && seen.warnings().isEmpty());
        assertThat(cluster.get("poddisruptionbudgets", "rides-dc1")).isPresent();
    }

    @Test
    void a_pod_on_a_cordoned_machine_is_not_made_again_until_it_is_uncordoned()
            throws InterruptedException, IOException {
        reserve();
        launch(1);
        await(f -> cluster.get("pods", NAME).isPresent());
        cluster.status("pods", NAME, RUNS);
        await(RUNNING);
        String first = uid("pods");
        cluster.put("nodes", NODE.replace("'spec': {}", "'spec': {'unschedulable': true}"));
        await(f -> f instanceof Fact.MachineChanged m && m.machine().cordoned());
        pool.relaunch(new Command.Relaunch(Samples.ALLOCATION, Samples.VERSION, 2), EPOCH);
        assertThat(await(f -> f instanceof Fact.AllocationChanged c && c.state().warning() != null)
                        .toString())
                .contains("n1 keeps new pods off, cordoned or tainted: its pod is made again once that ends");
        assertThat(uid("pods")).isEqualTo(first);
        cluster.put("nodes", NODE);
        await(f -> f instanceof Fact.MachineChanged m && !m.machine().cordoned());
        pool.relaunch(new Command.Relaunch(Samples.ALLOCATION, Samples.VERSION, 2), EPOCH);
        await(f -> cluster.get("pods", NAME).isPresent() && !uid("pods").equals(first));
    }

    @Test
    void a_launch_that_fails_for_a_moment_does_not_stay_LAUNCHING() throws InterruptedException {
        reserve();
        cluster.failNext("POST", "pods");
        launch(1);
        await(LAUNCHING);
        assertThat(await(FAILED).problem().message()).startsWith("Kubernetes answers 500: ");
        launch(1);
        await(LAUNCHING);
        await(f -> cluster.get("pods", NAME).isPresent());
    }

    @Test
    void an_ended_container_is_left_to_the_kubelet_and_a_pod_with_another_image_is_made_again()
            throws InterruptedException, IOException {
        reserve();
        launch(1);
        await(f -> cluster.get("pods", NAME).isPresent());
        String first = uid("pods");
        cluster.status(
                "pods",
                NAME,
                """
                {'phase': 'Running', 'podIP': '10.1.0.7', 'containerStatuses': [{'name': 'cassandra', 'image': 'x',
                  'imageID': '', 'ready': false, 'restartCount': 1,
                  'state': {'waiting': {'reason': 'CrashLoopBackOff'}},
                  'lastState': {'terminated': {'exitCode': 137}}}]}""");
        assertThat(await(EXITED).detail()).isEqualTo("exit code 137; the kubelet starts it again");
        launch(2);
        await(EXITED);
        assertThat(uid("pods")).isEqualTo(first);
        pool.launch(new Command.Launch(Samples.ALLOCATION, "5.0.99", 3), EPOCH);
        await(f -> cluster.get("pods", NAME).isPresent() && !uid("pods").equals(first));
    }

    @Test
    void damaged_notes_are_refused_and_do_not_end_the_pool() throws InterruptedException, IOException {
        cluster.put(
                "persistentvolumeclaims",
                """
                {'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'metadata': {
                  'name': 'rides-dc1-node-0', 'namespace': 'rides-dc1', 'labels': {
                  'app.kubernetes.io/managed-by': 'ringmaster', 'ringmaster.io/datacenter': 'dc1'},
                  'annotations': {'ringmaster.io/allocation': 'null'}}, 'spec': {}}""");
        pool.reserve(new Command.Reserve(Samples.ALLOCATION), EPOCH);
        assertThat(await(FAILED).problem().message())
                .isEqualTo("the annotation ringmaster.io/allocation of the claim rides-dc1-node-0 in the namespace"
                        + " rides-dc1 cannot be read; restore it, or delete the claim, which gives up its volume");
    }

    @Test
    void a_secret_of_a_former_claim_is_replaced() throws InterruptedException, IOException {
        cluster.put(
                "secrets",
                """
                {'apiVersion': 'v1', 'kind': 'Secret', 'metadata': {
                  'name': 'rides-dc1-node-0', 'namespace': 'rides-dc1', 'labels': {
                  'app.kubernetes.io/managed-by': 'ringmaster', 'ringmaster.io/datacenter': 'dc1'},
                  'ownerReferences': [{'kind': 'PersistentVolumeClaim', 'uid': 'former'}]}, 'data': {'token': 'b2xk'}}""");
        pool.reserve(new Command.Reserve(Samples.ALLOCATION), EPOCH);
        assertThat(await(FAILED).problem().message()).contains("belonged to a former claim");
        reserve();
        assertThat(cluster.get("secrets", NAME).orElseThrow().toString()).doesNotContain("former");
    }

    @Test
    void another_pod_of_the_same_name_is_left_alone() throws InterruptedException, IOException {
        reserve();
        cluster.put(
                "pods",
                """
                {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'rides-dc1-node-0', 'namespace': 'rides-dc1'},
                 'spec': {'containers': []}, 'status': {'phase': 'Running'}}""");
        launch(1);
        assertThat(await(FAILED).problem().message())
                .isEqualTo("another pod of the namespace rides-dc1 is named rides-dc1-node-0;"
                        + " delete it, or choose another namespace");
        pool.kill(new Command.Kill(Samples.ALLOCATION.id()), EPOCH);
        await(RESERVED);
        assertThat(cluster.get("pods", NAME)).isPresent();
    }

    @Test
    void a_claim_that_somebody_deleted_says_so_and_does_not_keep_its_pod() throws InterruptedException, IOException {
        reserve();
        launch(1);
        await(f -> cluster.get("pods", NAME).isPresent());
        cluster.status("pods", NAME, RUNS);
        await(RUNNING);
        cluster.put(
                "persistentvolumeclaims",
                cluster.get("persistentvolumeclaims", NAME)
                        .orElseThrow()
                        .toString()
                        .replace("\"metadata\":{", "\"metadata\":{\"deletionTimestamp\":\"2026-03-01T11:00:00Z\","));
        assertThat(await(RUNNING).warning()).startsWith("its claim is being deleted");
        pool.kill(new Command.Kill(Samples.ALLOCATION.id()), EPOCH);
        await(f -> cluster.get("pods", NAME).isEmpty());
    }

    @Test
    void a_volume_that_cannot_be_offered_again_holds_up_nobody() throws InterruptedException, IOException {
        cluster.put(
                "persistentvolumes",
                """
                {'apiVersion': 'v1', 'kind': 'PersistentVolume', 'metadata': {'name': 'kept'},
                 'spec': {'storageClassName': 'local-disks', 'persistentVolumeReclaimPolicy': 'Retain'}}""");
        reserve();
        cluster.put(
                "persistentvolumeclaims",
                cluster.get("persistentvolumeclaims", NAME)
                        .orElseThrow()
                        .toString()
                        .replace("\"spec\":{", "\"spec\":{\"volumeName\":\"kept\","));
        cluster.failNext("PATCH", "persistentvolumes");
        long start = System.nanoTime();
        pool.release(new Command.Release(Samples.ALLOCATION.id(), true), EPOCH);
        await(f -> f instanceof Fact.AllocationGone);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(25));
    }

    @Test
    void a_volume_that_was_emptied_before_the_server_died_is_offered_again() throws InterruptedException, IOException {
        String volume =
                """
                {'apiVersion': 'v1', 'kind': 'PersistentVolume', 'metadata': {'name': '%s', 'annotations': {%s}},
                 'spec': {'storageClassName': 'local-disks', 'claimRef': {'uid': '17', 'name': 'x', 'namespace': 'y'}},
                 'status': {'phase': 'Released'}}""";
        cluster.put("persistentvolumes", volume.formatted("emptied", "'ringmaster.io/emptied': '17'"));
        cluster.put("persistentvolumes", volume.formatted("full", ""));
        cluster.put("persistentvolumes", volume.formatted("used-again", "'ringmaster.io/emptied': '16'"));
        await(f -> isFree("emptied"));
        assertThat(isFree("full")).isFalse();
        assertThat(isFree("used-again")).isFalse();
    }

    @Test
    void a_watch_that_is_refused_while_lists_are_not_is_reported_with_its_kind_and_the_reason()
            throws InterruptedException, IOException {
        cluster.refuseWatches("secrets");
        assertThat(((Fact.PoolUnavailable) await(f -> f instanceof Fact.PoolUnavailable)).reason())
                .contains("are interrupted: secrets: Kubernetes answers 403: ");
    }

    @Test
    void a_pod_that_no_watch_shows_is_ended_too() throws InterruptedException, IOException {
        reserve();
        cluster.putUnseen("pods", Samples.json(Samples.pod()));
        pool.kill(new Command.Kill(Samples.ALLOCATION.id()), EPOCH);
        await(f -> cluster.get("pods", NAME).isEmpty());
    }

    private String claimUid() {
        return uid("persistentvolumeclaims");
    }

    private String uid(String kind) {
        return cluster.get(kind, NAME).orElseThrow().at("/metadata/uid").asText();
    }

    private boolean isFree(String volume) {
        return cluster.get("persistentvolumes", volume)
                .orElseThrow()
                .path("spec")
                .path("claimRef")
                .asText("null")
                .equals("null");
    }

    @Test
    void a_leader_that_slept_reads_the_epoch_before_it_destroys() throws InterruptedException, IOException {
        reserve();
        String uid = claimUid();
        cluster.put(
                "configmaps",
                cluster.get("configmaps", "ringmaster-pool")
                        .orElseThrow()
                        .toString()
                        .replace("\"epoch\":\"" + EPOCH + "\"", "\"epoch\":\"" + (EPOCH + 1) + "\""));
        pool.release(new Command.Release(Samples.ALLOCATION.id(), true), EPOCH);
        // behind the release in the queue of the allocation, and of the same leader
        pool.kill(new Command.Kill(Samples.ALLOCATION.id()), EPOCH);
        Thread.sleep(500); // what is refused leaves no trace to wait for
        pool.reserve(new Command.Reserve(Samples.ALLOCATION), EPOCH + 1);
        await(RESERVED);
        assertThat(claimUid()).isEqualTo(uid);
    }

    @Test
    void commands_of_a_former_leader_change_nothing() throws InterruptedException {
        reserve();
        String uid = claimUid();
        pool.release(new Command.Release(Samples.ALLOCATION.id(), true), EPOCH - 1);
        pool.reserve(new Command.Reserve(Samples.ALLOCATION), EPOCH);
        await(RESERVED);
        assertThat(claimUid()).isEqualTo(uid);
        assertThat(cluster.get("configmaps", "ringmaster-pool")
                        .orElseThrow()
                        .at("/data/epoch")
                        .asText())
                .isEqualTo(Long.toString(EPOCH));
    }
}
