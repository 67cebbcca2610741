package io.ringmaster.pool.kubernetes.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.ringmaster.json.Json;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.pool.kubernetes.Samples;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RingAddressesTest {
    private static final Pod POD = pod("false");
    private static final ClaimNotes OTHER = of("rides-dc1-node-1", "rides/dc1/node-1");

    private static Pod pod(String ready) {
        return Samples.with(
                Samples.pod(),
                """
                {'phase': 'Running', 'podIP': '10.1.0.7', 'containerStatuses': [{'name': 'cassandra', 'image': 'x',
                  'imageID': '', 'ready': %s, 'restartCount': 0}]}"""
                        .formatted(ready));
    }

    private static ClaimNotes of(String id, String node) {
        Allocation a = Samples.ALLOCATION;
        Allocation other = new Allocation(new AllocationId(id), NodeId.of(node), a.machine(), a.ports(), a.resources());
        return ClaimNotes.reserved(other).running(other, Samples.RUN).at("10.1.0.7");
    }

    private static boolean isAnothers(ClaimNotes own, ClaimNotes... all) {
        List<PersistentVolumeClaim> claims =
                List.of(all).stream().map(RingAddressesTest::claim).toList();
        return RingAddresses.owner(own, POD, claims, id -> Optional.empty()).isPresent();
    }

    private static PersistentVolumeClaim claim(ClaimNotes notes) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(notes.allocation().id().value())
                .addToAnnotations(ObjectNames.NOTES, Json.text(notes))
                .endMetadata()
                .build();
    }

    @Test
    void the_last_address_of_another_node_of_the_cluster_is_that_nodes() {
        assertThat(isAnothers(Samples.RUNNING, OTHER)).isTrue();
        assertThat(isAnothers(Samples.RUNNING.at("10.1.0.8"), Samples.RUNNING.at("10.1.0.8"), OTHER))
                .isTrue();
        assertThat(isAnothers(Samples.RUNNING, OTHER.stopped()))
                .as("of a node that is to run again")
                .isTrue();
    }

    @Test
    void a_node_that_serves_is_left_alone_whatever_was_noted_of_others() {
        assertThat(RingAddresses.owner(Samples.RUNNING, pod("true"), List.of(claim(OTHER)), id -> Optional.empty()))
                .isEmpty();
    }

    @Test
    void an_address_is_free_if_its_node_is_ready_at_another_one_by_now() {
        List<PersistentVolumeClaim> claims = List.of(claim(OTHER));
        assertThat(RingAddresses.owner(Samples.RUNNING, POD, claims, id -> Optional.of(pod("true"))))
                .as("it has it still")
                .isPresent();
        Pod moved = pod("true");
        moved.getStatus().setPodIP("10.1.0.9");
        assertThat(RingAddresses.owner(Samples.RUNNING, POD, claims, id -> Optional.of(moved)))
                .isEmpty();
    }

    @Test
    void every_other_address_is_free() {
        assertThat(isAnothers(Samples.RUNNING)).isFalse();
        assertThat(isAnothers(Samples.RUNNING.at("10.1.0.7"), Samples.RUNNING.at("10.1.0.7"), OTHER))
                .as("its own")
                .isFalse();
        assertThat(isAnothers(Samples.RUNNING, OTHER.at("10.1.0.9")))
                .as("which that node has left")
                .isFalse();
        assertThat(isAnothers(Samples.RUNNING, OTHER.volumeOnly()))
                .as("of a node that has left the ring")
                .isFalse();
        assertThat(isAnothers(Samples.RUNNING, of("trips-dc1-node-0", "trips/dc1/node-0")))
                .as("of another cluster")
                .isFalse();
    }
}
