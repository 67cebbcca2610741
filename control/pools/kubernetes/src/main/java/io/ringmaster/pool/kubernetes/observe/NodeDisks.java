package io.ringmaster.pool.kubernetes.observe;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;

/** The disk of a Node for volumes of the pool's class. */
public final class NodeDisks {
    private static final String HOSTNAME = "kubernetes.io/hostname";

    private NodeDisks() {}

    /**
     * The settings' size, or what the machine's volumes of the class hold, or, if none of them was made before, the
     * Node's own disk. Of a volume that this pool uses only the claimed part counts, because the rest is of no use.
     *
     * @param ownClaims the bytes that the claims of the pool request, by name
     */
    public static long bytes(
            Node node, KubernetesPoolSettings settings, Collection<PersistentVolume> all, Map<String, Long> ownClaims) {
        if (settings.diskBytes() != null) {
            return settings.diskBytes();
        }
        if (all.stream().noneMatch(v -> isLocal(v, settings.storageClass()))) {
            return NodeCapacity.bytes(node.getStatus().getAllocatable().get("ephemeral-storage"));
        }
        return all.stream()
                .filter(v -> isLocal(v, settings.storageClass()) && isOn(node, v))
                .mapToLong(v -> usable(v, settings, ownClaims))
                .sum();
    }

    /** A volume that belongs to a machine, and that no provisioner made on demand. */
    private static boolean isLocal(PersistentVolume volume, String storageClass) {
        var annotations = volume.getMetadata().getAnnotations();
        return Objects.equals(volume.getSpec().getStorageClassName(), storageClass)
                && volume.getSpec().getNodeAffinity() != null
                && (annotations == null || !annotations.containsKey("pv.kubernetes.io/provisioned-by"));
    }

    private static boolean isOn(Node node, PersistentVolume volume) {
        String host = node.getMetadata().getLabels() == null
                ? node.getMetadata().getName()
                : node.getMetadata()
                        .getLabels()
                        .getOrDefault(HOSTNAME, node.getMetadata().getName());
        return volume.getSpec().getNodeAffinity().getRequired() != null
                && volume.getSpec().getNodeAffinity().getRequired().getNodeSelectorTerms().stream()
                        .anyMatch(term -> names(term, host));
    }

    private static boolean names(NodeSelectorTerm term, String host) {
        return term.getMatchExpressions().stream()
                .anyMatch(e -> e.getKey().equals(HOSTNAME)
                        && e.getOperator().equals("In")
                        && e.getValues().contains(host));
    }

    private static long usable(PersistentVolume volume, KubernetesPoolSettings settings, Map<String, Long> ownClaims) {
        String phase = volume.getStatus() == null
                ? ""
                : Objects.toString(volume.getStatus().getPhase(), "");
        ObjectReference claim = volume.getSpec().getClaimRef();
        boolean own = claim != null && settings.namespace().equals(claim.getNamespace());
        return switch (phase) {
            case "Available" ->
                NodeCapacity.bytes(volume.getSpec().getCapacity().get("storage"));
            case "Bound" -> own ? ownClaims.getOrDefault(claim.getName(), 0L) : 0;
            default -> 0;
        };
    }
}
