package io.ringmaster.pool.kubernetes.command;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import io.ringmaster.pool.kubernetes.objects.PodTemplate;
import io.ringmaster.pool.kubernetes.observe.PodStates;
import io.ringmaster.pool.kubernetes.watch.Mirror;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a volume with the policy {@code Retain}. Kubernetes would keep its files, and would never bind it again,
 * so that it is emptied before its claim goes, and made again afterwards.
 */
final class VolumeEnd {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeEnd.class);
    private static final Duration WIPE = Duration.ofMinutes(10);
    private static final Duration END_OF_VOLUME = Duration.ofSeconds(30);

    private final KubernetesPoolSettings settings;
    private final ApiCalls api;
    private final Mirror mirror;

    VolumeEnd(KubernetesPoolSettings settings, ApiCalls api, Mirror mirror) {
        this.settings = settings;
        this.api = api;
        this.mirror = mirror;
    }

    /** Empty if Kubernetes deletes the volume with its claim, or none is bound. */
    Optional<PersistentVolume> keptByItsPolicy(PersistentVolumeClaim claim) {
        return api.volume(claim).filter(v -> "Retain".equals(v.getSpec().getPersistentVolumeReclaimPolicy()));
    }

    /** Deletes all files; returns why that failed. The pod that did it stays. */
    Optional<String> empty(AllocationId id, PersistentVolumeClaim claim, ClaimNotes notes) throws InterruptedException {
        String version = notes.volumeOf();
        if (version == null) {
            return Optional.empty();
        }
        api.create(PodTemplate.wipe(settings, claim, notes, version));
        mirror.await(() -> wipe(id).filter(PodStates::isOver).isPresent(), WIPE);
        String phase = wipe(id).map(pod -> pod.getStatus().getPhase()).orElse("missing");
        return phase.equals("Succeeded")
                ? Optional.empty()
                : Optional.of("the pod that empties the volume of " + id + " is " + phase + "; kubectl logs " + id
                        + " -n " + settings.namespace() + " says why");
    }

    private Optional<Pod> wipe(AllocationId id) {
        return mirror.pod(id).filter(ObjectNames::isWipe);
    }

    /** Makes the object of an emptied volume again, without its former claim. */
    void offerAgain(PersistentVolume volume) throws InterruptedException {
        String name = volume.getMetadata().getName();
        PersistentVolume fresh = new PersistentVolumeBuilder(volume)
                .editMetadata()
                .withUid(null)
                .withResourceVersion(null)
                .withCreationTimestamp(null)
                .withManagedFields()
                .withFinalizers()
                .removeFromAnnotations("pv.kubernetes.io/bound-by-controller")
                .endMetadata()
                .editSpec()
                .withClaimRef(null)
                .endSpec()
                .withStatus(null)
                .build();
        try {
            api.delete(volume);
            mirror.await(() -> mirror.volumes().stream().noneMatch(v -> isSame(v, volume)), END_OF_VOLUME);
            api.create(fresh);
        } catch (KubernetesClientException e) {
            LOG.warn(
                    "the volume {} is empty, but cannot be offered again: {}; delete it and create it again without"
                            + " claimRef",
                    name,
                    ApiCalls.reason(e));
        }
    }

    private static boolean isSame(PersistentVolume a, PersistentVolume b) {
        return a.getMetadata().getUid().equals(b.getMetadata().getUid());
    }
}
