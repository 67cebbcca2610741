package io.ringmaster.pool.kubernetes;

import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.LAUNCHING;
import static io.ringmaster.model.fleet.AllocationState.Status.RELEASED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static io.ringmaster.model.fleet.AllocationState.Status.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.ringmaster.json.Json;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ClaimTemplate;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import io.ringmaster.pool.kubernetes.objects.PodTemplate;
import io.ringmaster.ports.Pool;
import io.ringmaster.ports.RecordingFactSink;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What must not disturb a pool on Kubernetes: dead servers, deleted pods, lost machines. */
@Tag("kubernetes")
@Timeout(180)
class KubernetesPoolFailuresTest extends PlayedPool {
    private Resource<PersistentVolumeClaim> claim() {
        return claim(0);
    }

    private Resource<PersistentVolumeClaim> claim(int index) {
        return machines.client
                .persistentVolumeClaims()
                .inNamespace(namespace)
                .withName(allocation(index).id().value());
    }

    /** As a server left them that died between two lines. */
    private void note(UnaryOperator<ClaimNotes> change) {
        for (int tries = 5; !isNoted(change); tries--) {
            assertThat(tries).as("changes of the claim by others").isPositive();
        }
    }

    /** Kubernetes may change the claim meanwhile. */
    private boolean isNoted(UnaryOperator<ClaimNotes> change) {
        try {
            claim().edit(c -> new PersistentVolumeClaimBuilder(c)
                    .editMetadata()
                    .addToAnnotations(
                            ObjectNames.NOTES,
                            Json.text(change.apply(ClaimNotes.of(c).orElseThrow())))
                    .endMetadata()
                    .build());
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            throw e;
        }
    }

    private void deletePod() {
        var pod = machines.client
                .pods()
                .inNamespace(namespace)
                .withName(allocation(0).id().value());
        pod.delete();
        pod.waitUntilCondition(p -> p == null, LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void destroy(Pool pool) {
        pool.release(new Command.Release(allocation(0).id(), true), EPOCH);
        awaitGone(allocation(0));
    }

    @Test
    void a_leader_that_learned_nothing_of_its_successor_is_refused_by_the_marker() {
        Pool former = start();
        running(allocation(0));
        RecordingFactSink seen = new RecordingFactSink();
        try (Pool present = open()) {
            present.start(seen, records);
            present.kill(new Command.Kill(allocation(0).id()), EPOCH + 1);
            seen.awaitStatus(allocation(0).id(), RESERVED, LIMIT);
            launch(allocation(0));
            relaunch(allocation(0), 5);
            former.release(new Command.Release(allocation(0).id(), true), EPOCH);
            Allocation marked = allocation(0).withResources(new NodeResources(250, 1L << 29, 1L << 28, 2L << 30));
            former.reserve(new Command.Reserve(marked), EPOCH + 1); // behind the others in the queue
            facts.await(
                    Fact.AllocationChanged.class, f -> f.state().allocation().equals(marked), LIMIT);
        }
        assertThat(executorRun(allocation(0))).isEmpty();
    }

    @Test
    void a_claim_whose_secret_was_not_made_is_adopted_and_launched() {
        start().close();
        machines.client
                .persistentVolumeClaims()
                .inNamespace(namespace)
                .resource(ClaimTemplate.claim(settings(), allocation(0)))
                .create();
        Pool pool = restart();
        assertThat(only(snapshot()).status()).isEqualTo(RESERVED);
        launch(allocation(0));
        await(allocation(0), RUNNING);
        assertThat(pool.access(allocation(0).id())).isPresent();
    }

    private KubernetesPoolSettings settings() {
        return PlayedMachines.settings(namespace, kubeconfig);
    }

    @Test
    void a_launch_that_was_noted_without_a_pod_is_launched_again() {
        Pool pool = start();
        reserve(allocation(0));
        pool.close();
        note(notes -> notes.running(allocation(0), new ClaimNotes.Run(1, VERSION)));
        restart();
        assertThat(only(snapshot()).status()).isEqualTo(EXITED);
        launch(allocation(0));
        await(allocation(0), RUNNING);
    }

    @Test
    void a_relaunch_whose_pod_was_made_but_not_noted_is_not_repeated() {
        Pool pool = start();
        running(allocation(0));
        facts.clear();
        relaunch(allocation(0), 2);
        await(allocation(0), LAUNCHING);
        await(allocation(0), RUNNING);
        Optional<String> run = executorRun(allocation(0));
        pool.close();
        note(notes -> new ClaimNotes(
                notes.allocation(), notes.run(), 1, notes.released(), notes.volumeOf(), notes.address()));
        restart();
        assertThat(only(snapshot()).status()).isEqualTo(RUNNING);
        relaunch(allocation(0), 2);
        assertThat(settledRun(allocation(0))).isPresent().isEqualTo(run);
        relaunch(allocation(0), 2);
        assertThat(settledRun(allocation(0))).isEqualTo(run);
    }

    @Test
    void a_volume_that_is_being_emptied_is_given_back_by_the_next_server() {
        Pool pool = start();
        running(allocation(0));
        writeToVolume(allocation(0), "gone");
        pool.close();
        note(ClaimNotes::volumeOnly);
        deletePod();
        PersistentVolumeClaim claim = claim().get();
        machines.client
                .pods()
                .inNamespace(namespace)
                .resource(
                        PodTemplate.wipe(settings(), claim, ClaimNotes.of(claim).orElseThrow(), VERSION))
                .create();
        Pool next = restart();
        assertThat(only(snapshot()).status()).isEqualTo(RELEASED);
        destroy(next);
        assertThat(readFromVolume(allocation(0))).isEmpty();
    }

    @Test
    void a_pod_that_empties_a_volume_and_is_deleted_is_made_again() {
        Pool pool = start();
        running(allocation(0));
        writeToVolume(allocation(0), "gone");
        machines.kubelet.ignore(namespace, allocation(0).id().value());
        pool.release(new Command.Release(allocation(0).id(), true), EPOCH);
        facts.await(
                Fact.AllocationChanged.class,
                f -> String.valueOf(f.state().detail()).startsWith("empties its volume"),
                LIMIT);
        deletePod();
        machines.kubelet.ignoreNothing();
        assertThat(await(allocation(0), FAILED).problem().message()).contains("was deleted, and is made again");
        assertThat(readFromVolume(allocation(0))).isPresent();
        destroy(pool);
        assertThat(readFromVolume(allocation(0))).isEmpty();
    }

    @Test
    void a_deleted_pod_is_reported_and_its_volume_has_the_next_run() {
        start();
        running(allocation(0));
        writeToVolume(allocation(0), "kept");
        facts.clear();
        deletePod();
        await(allocation(0), EXITED);
        facts.clear();
        launch(allocation(0));
        await(allocation(0), RUNNING);
        assertThat(readFromVolume(allocation(0))).contains("kept");
    }

    @Test
    void a_machine_without_its_kubelet_is_unreachable_and_continues() {
        start();
        running(allocation(0));
        Optional<String> run = executorRun(allocation(0));
        facts.clear();
        machines.kubelet.cut("n1");
        try {
            await(allocation(0), UNREACHABLE);
        } finally {
            machines.kubelet.join("n1");
        }
        await(allocation(0), RUNNING);
        assertThat(executorRun(allocation(0))).isEqualTo(run);
    }

    @Test
    void pods_that_swapped_their_addresses_are_made_again_at_others() {
        start();
        bothRunning();
        facts.clear();
        swapAddresses();
        assertThat(await(allocation(0), EXITED).detail()).contains("by which the ring knows rides-dc1-node-1");
        await(allocation(1), EXITED);
        otherAddresses();
    }

    @Test
    void pods_that_swapped_their_addresses_while_no_server_ran_are_made_again() {
        Pool pool = start();
        bothRunning();
        pool.close();
        swapAddresses();
        restart();
        assertThat(snapshot().allocations()).hasSize(2).allSatisfy(state -> assertThat(state.status())
                .isEqualTo(EXITED));
        otherAddresses();
    }

    /** The pool has noted both addresses. */
    private void bothRunning() {
        running(allocation(0));
        running(allocation(1));
        for (int i : List.of(0, 1)) {
            claim(i).waitUntilCondition(
                            c -> ClaimNotes.of(c).orElseThrow().address() != null, LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private void swapAddresses() {
        machines.kubelet.rebootCrossed(
                namespace, allocation(0).id().value(), allocation(1).id().value());
    }

    private void otherAddresses() {
        Set<String> before = Stream.of(0, 1)
                .map(i -> ClaimNotes.of(claim(i).get()).orElseThrow().address())
                .collect(Collectors.toSet());
        facts.clear();
        launch(allocation(0));
        launch(allocation(1));
        assertThat(await(allocation(0), RUNNING).address()).isNotIn(before);
        assertThat(await(allocation(1), RUNNING).address()).isNotIn(before);
    }
}
