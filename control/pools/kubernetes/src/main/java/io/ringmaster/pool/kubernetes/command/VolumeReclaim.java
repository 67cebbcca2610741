package io.ringmaster.pool.kubernetes.command;

import io.fabric8.kubernetes.api.model.PersistentVolume;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a volume with the policy {@code Retain}. Kubernetes would keep its files, and would never bind it again,
 * so that it is emptied before its claim goes, and offered again afterwards.
 */
public final class VolumeReclaim {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeReclaim.class);
    private static final Duration WIPE = Duration.ofMinutes(10);
    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final Duration END_OF_VOLUME = Duration.ofSeconds(30);

    private final KubernetesPoolSettings settings;
    private final ApiCalls api;
    private final Mirror mirror;

    public VolumeReclaim(KubernetesPoolSettings settings, ApiCalls api, Mirror mirror) {
        this.settings = settings;
        this.api = api;
        this.mirror = mirror;
    }

    /** Empty if Kubernetes deletes the volume with its claim, or none is bound. */
    Optional<PersistentVolume> keptByItsPolicy(PersistentVolumeClaim claim) {
        return api.volume(claim).filter(v -> "Retain".equals(v.getSpec().getPersistentVolumeReclaimPolicy()));
    }

    /** Deletes all files; returns why that failed. The pod that did it stays. */
    Optional<String> empty(AllocationId id, PersistentVolumeClaim claim, ClaimNotes notes, StateReports reports)
            throws InterruptedException {
        String version = notes.volumeOf();
        if (version == null) {
            return Optional.empty();
        }
        api.create(PodTemplate.wipe(settings, claim, notes, version));
        mirror.await(() -> wipe(id).isPresent(), Mirror.LAG);
        long end = System.nanoTime() + WIPE.toNanos();
        // somebody may delete it, such as by a drain of its machine
        while (!mirror.await(() -> wipe(id).filter(p -> !PodStates.isOver(p)).isEmpty(), LOOK)
                && System.nanoTime() < end) {
            reports.reportChange(id);
        }
        Optional<Pod> pod = wipe(id);
        if (pod.isEmpty()) {
            return Optional.of("the pod that empties the volume of " + id + " was deleted, and is made again");
        }
        String phase = pod.get().getStatus().getPhase();
        return phase.equals("Succeeded")
                ? Optional.empty()
                : Optional.of("the pod that empties the volume of " + id + " is " + phase + "; kubectl logs " + id
                        + " -n " + settings.namespace() + " says why");
    }

    private Optional<Pod> wipe(AllocationId id) {
        return mirror.pod(id).filter(ObjectNames::isWipe);
    }

    /**
     * Notes on the volume that its files are gone, so that it is offered again whenever this pool dies.
     *
     * @return false without the right to do so
     */
    boolean emptied(PersistentVolume volume, PersistentVolumeClaim claim) {
        try {
            api.noteEmptied(volume, claim.getMetadata().getUid());
            return true;
        } catch (KubernetesClientException e) {
            LOG.warn(
                    "the volume {} is empty, but will not be offered again: {}; remove its claimRef to do so",
                    volume.getMetadata().getName(),
                    ApiCalls.reason(e));
            return false;
        }
    }

    void makeAvailableWhenReleased(PersistentVolume volume) throws InterruptedException {
        mirror.await(() -> released().anyMatch(v -> isSame(v, volume)), END_OF_VOLUME);
        makeAvailable();
    }

    /** Lets every emptied volume be claimed again. */
    public void makeAvailable() {
        released().forEach(volume -> {
            try {
                api.removeClaimRef(volume);
            } catch (KubernetesClientException e) {
                LOG.warn(
                        "the volume {} is empty, but cannot be offered again: {}; remove its claimRef to do so",
                        volume.getMetadata().getName(),
                        ApiCalls.reason(e));
            }
        });
    }

    /** The volumes that this pool has emptied, and that their claims have left. */
    private Stream<PersistentVolume> released() {
        return mirror.volumes().stream()
                .filter(v -> v.getSpec().getClaimRef() != null
                        && v.getStatus() != null
                        && "Released".equals(v.getStatus().getPhase())
                        && v.getSpec().getClaimRef().getUid() != null
                        && v.getSpec().getClaimRef().getUid().equals(ObjectNames.emptiedOf(v)));
    }

    private static boolean isSame(PersistentVolume a, PersistentVolume b) {
        return a.getMetadata().getUid().equals(b.getMetadata().getUid());
    }
}
