package io.ringmaster.pool.kubernetes.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.json.Json;
import io.ringmaster.pool.kubernetes.Samples;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Changes of a claim on a played API server. */
class ApiCallsTest {
    private final PlayedObject kubernetes;
    private final KubernetesClient client;
    private final ApiCalls api;

    ApiCallsTest() throws IOException {
        kubernetes = new PlayedObject("persistentvolumeclaims");
        client = kubernetes.client();
        api = new ApiCalls(client, Samples.SETTINGS);
        kubernetes.put(Samples.claim());
    }

    @AfterEach
    void close() {
        client.close();
        kubernetes.close();
    }

    private PersistentVolumeClaim read() {
        return Json.parse(kubernetes.object().toString(), PersistentVolumeClaim.class);
    }

    /** The binder of the scheduler writes to a claim while the pool does. */
    private static PersistentVolumeClaim bound(PersistentVolumeClaim claim) {
        return new PersistentVolumeClaimBuilder(claim)
                .editMetadata()
                .addToAnnotations("pv.kubernetes.io/bind-completed", "yes")
                .endMetadata()
                .editSpec()
                .withVolumeName("disk-1")
                .endSpec()
                .build();
    }

    private static PersistentVolumeClaim noted(PersistentVolumeClaim claim, ClaimNotes notes) {
        String text = Json.text(notes);
        return new PersistentVolumeClaimBuilder(claim)
                .editMetadata()
                .addToAnnotations(ObjectNames.NOTES, text)
                .endMetadata()
                .build();
    }

    @Test
    void notes_are_changed() {
        assertThat(api.patch(read(), Samples.RUNNING).flatMap(ClaimNotes::of)).contains(Samples.RUNNING);
        assertThat(ClaimNotes.of(read())).contains(Samples.RUNNING);
        assertThat(kubernetes.changes()).containsExactly("PATCH");
    }

    @Test
    void a_claim_that_is_bound_meanwhile_gets_its_notes_nevertheless() {
        PersistentVolumeClaim claim = read();
        kubernetes.beforeNextChange(() -> kubernetes.put(bound(claim)));
        assertThat(api.patch(claim, Samples.RUNNING).flatMap(ClaimNotes::of)).contains(Samples.RUNNING);
        assertThat(ClaimNotes.of(read())).contains(Samples.RUNNING);
        assertThat(read().getSpec().getVolumeName()).isEqualTo("disk-1");
        assertThat(kubernetes.changes()).containsExactly("PATCH", "PATCH");
    }

    @Test
    void notes_that_another_server_changed_meanwhile_stay() {
        PersistentVolumeClaim claim = read();
        ClaimNotes theirs = Samples.RUNNING.launchedWith(8);
        kubernetes.beforeNextChange(() -> kubernetes.put(noted(claim, theirs)));
        assertThat(api.patch(claim, Samples.RUNNING)).isEmpty();
        assertThat(ClaimNotes.of(read())).contains(theirs);
    }

    @Test
    void another_claim_of_the_same_name_stays() {
        PersistentVolumeClaim claim = read();
        kubernetes.beforeNextChange(() -> kubernetes.put(new PersistentVolumeClaimBuilder(claim)
                .editMetadata()
                .withUid("another")
                .endMetadata()
                .build()));
        assertThat(api.patch(claim, Samples.RUNNING)).isEmpty();
        assertThat(ClaimNotes.of(read())).contains(Samples.RESERVED);
    }

    @Test
    void a_claim_that_is_gone_is_refused() {
        PersistentVolumeClaim claim = read();
        kubernetes.remove();
        assertThatThrownBy(() -> api.patch(claim, Samples.RUNNING))
                .isInstanceOfSatisfying(KubernetesClientException.class, e -> {
                    assertThat(ApiCalls.isRefused(e)).isTrue();
                    assertThat(ApiCalls.reason(e)).isEqualTo("Kubernetes answers 404: no 404");
                });
    }

    @Test
    void what_is_there_already_is_as_good_as_created() {
        PersistentVolumeClaim there = api.create(Samples.claim());
        assertThat(there.getMetadata().getResourceVersion())
                .isEqualTo(read().getMetadata().getResourceVersion());
        assertThat(kubernetes.changes()).containsExactly("POST");
    }
}
