package io.ringmaster.pool.kubernetes.command;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import io.ringmaster.pool.kubernetes.observe.PodStates;
import io.ringmaster.pool.kubernetes.observe.RingAddresses;
import io.ringmaster.pool.kubernetes.watch.Mirror;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Remembers the addresses of pods that are ready, by which the ring knows their nodes from then on. */
public final class AddressNotes {
    private static final Logger LOG = LoggerFactory.getLogger(AddressNotes.class);

    private final KubernetesPoolSettings settings;
    private final ApiCalls api;
    private final Mirror mirror;

    public AddressNotes(KubernetesPoolSettings settings, ApiCalls api, Mirror mirror) {
        this.settings = settings;
        this.api = api;
        this.mirror = mirror;
    }

    /** Whether the pod has an address by which the ring knows another node. */
    static boolean isCrossed(Mirror mirror, AllocationId id, Pod pod) {
        return mirror.claim(id)
                .flatMap(ClaimNotes::of)
                .flatMap(notes -> RingAddresses.owner(notes, pod, mirror.claims(), mirror::pod))
                .isPresent();
    }

    /** Takes its turn with the commands for the allocation. */
    public void update(AllocationId id) throws InterruptedException {
        Optional<Pod> pod = mirror.pod(id).filter(p -> PodStates.isReady(p) && !ObjectNames.isWipe(p));
        String address = pod.map(PodStates::address).orElse(null);
        Optional<PersistentVolumeClaim> claim = mirror.claim(id)
                .filter(c -> c.getMetadata().getDeletionTimestamp() == null)
                .filter(c -> ClaimNotes.of(c)
                        .filter(notes -> !String.valueOf(address).equals(notes.address()))
                        .isPresent());
        if (address == null || claim.isEmpty()) {
            return;
        }
        try {
            new ClaimCommands(id, settings, api, mirror).note(claim.get(), notes -> notes.at(address));
        } catch (CommandRefusedException | KubernetesClientException e) {
            LOG.debug("the address of {} is noted later", id, e);
        }
    }
}
