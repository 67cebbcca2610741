package io.ringmaster.pool.kubernetes.objects;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;

/** The volume of an allocation, which owns its other objects. */
public final class ClaimTemplate {
    private ClaimTemplate() {}

    public static PersistentVolumeClaim claim(KubernetesPoolSettings settings, Allocation allocation) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(allocation.id().value())
                .withNamespace(settings.namespace())
                .withLabels(ObjectNames.labels(allocation))
                .addToAnnotations(
                        ObjectNames.NOTES, ClaimNotes.reserved(allocation).json())
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withVolumeMode("Filesystem")
                .withStorageClassName(settings.storageClass())
                .withNewResources()
                .addToRequests(
                        "storage",
                        new Quantity(Long.toString(allocation.resources().diskBytes())))
                .endResources()
                .endSpec()
                .build();
    }

    /** A drain of a machine takes an object without a controller for one that nobody makes again, and stops. */
    static OwnerReference owner(PersistentVolumeClaim claim) {
        return new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("PersistentVolumeClaim")
                .withName(claim.getMetadata().getName())
                .withUid(claim.getMetadata().getUid())
                .withController(true)
                .build();
    }
}
