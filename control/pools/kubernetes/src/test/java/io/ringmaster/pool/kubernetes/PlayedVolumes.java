package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Local volumes of the class {@code local} with the policy {@code Retain}. Each has a text as its only file. What a
 * test writes before a claim is bound is in the volume afterwards.
 */
final class PlayedVolumes {
    static final String STORAGE_CLASS = "local";

    private final KubernetesClient client;
    /** By the name of the volume, or by the uid of a claim that is not bound yet. */
    private final Map<String, String> contents = new HashMap<>();
    /** The volume that a claim was bound to last, by namespace and name. */
    private final Map<String, String> last = new HashMap<>();

    PlayedVolumes(KubernetesClient client) {
        this.client = client;
    }

    void create(String machine, int number) {
        client.persistentVolumes()
                .resource(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName(machine + "-disk" + number)
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .addToCapacity("storage", new Quantity("20Gi"))
                        .withStorageClassName(STORAGE_CLASS)
                        .withPersistentVolumeReclaimPolicy("Retain")
                        .withNewLocal()
                        .withPath("/disks/" + number)
                        .endLocal()
                        .withNewNodeAffinity()
                        .withNewRequired()
                        .addNewNodeSelectorTerm()
                        .addNewMatchExpression()
                        .withKey("kubernetes.io/hostname")
                        .withOperator("In")
                        .withValues(machine)
                        .endMatchExpression()
                        .endNodeSelectorTerm()
                        .endRequired()
                        .endNodeAffinity()
                        .endSpec()
                        .build())
                .create();
    }

    synchronized void write(String namespace, String claim, String text) {
        contents.put(key(claim(namespace, claim).orElseThrow()), text);
    }

    /** Also of the volume that a claim had which is gone. */
    synchronized Optional<String> read(String namespace, String claim) {
        String key = claim(namespace, claim)
                .map(PlayedVolumes::key)
                .orElseGet(() -> last.getOrDefault(namespace + "/" + claim, ""));
        return Optional.ofNullable(contents.get(key));
    }

    /** Whether the claim is bound, so that a pod can use it. */
    synchronized boolean mount(String namespace, String name) {
        Optional<PersistentVolumeClaim> claim = claim(namespace, name)
                .filter(c ->
                        c.getStatus() != null && "Bound".equals(c.getStatus().getPhase()));
        claim.ifPresent(c -> {
            String volume = c.getSpec().getVolumeName();
            last.put(namespace + "/" + name, volume);
            String before = contents.remove(c.getMetadata().getUid());
            if (before != null) {
                contents.put(volume, before);
            }
        });
        return claim.isPresent();
    }

    synchronized void empty(String namespace, String claim) {
        claim(namespace, claim).ifPresent(c -> contents.remove(key(c)));
    }

    private static String key(PersistentVolumeClaim claim) {
        boolean bound =
                claim.getStatus() != null && "Bound".equals(claim.getStatus().getPhase());
        return bound ? claim.getSpec().getVolumeName() : claim.getMetadata().getUid();
    }

    private Optional<PersistentVolumeClaim> claim(String namespace, String name) {
        return Optional.ofNullable(client.persistentVolumeClaims()
                .inNamespace(namespace)
                .withName(name)
                .get());
    }
}
