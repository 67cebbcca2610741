package io.ringmaster.pool.kubernetes.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calls that must not wait for a mirror, or that change objects. They block for some seconds at most, and throw {@link
 * KubernetesClientException}. What is there already is as good as created, and what is gone already as good as deleted.
 */
public final class ApiCalls {
    private static final int TRIES = 5;
    /** Credentials that have expired, too many requests, and an API server that starts or has no etcd. */
    private static final Set<Integer> PASSING = Set.of(401, 429, 503, 504);

    private final KubernetesClient client;
    private final String namespace;

    public ApiCalls(KubernetesClient client, KubernetesPoolSettings settings) {
        this.client = client;
        namespace = settings.namespace();
    }

    /** For people: the words of the API server, or that it does not answer. */
    public static String reason(KubernetesClientException e) {
        if (e.getCode() > 0) {
            String message = e.getStatus() == null ? null : e.getStatus().getMessage();
            return "Kubernetes answers " + e.getCode() + ": "
                    + Objects.requireNonNullElse(message, ThrowableText.of(e));
        }
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return "the API server of Kubernetes does not answer: " + ThrowableText.of(cause);
    }

    /** Whether the API server refused this request; otherwise it can answer no other, either. */
    static boolean isRefused(KubernetesClientException e) {
        return e.getCode() >= 400 && !PASSING.contains(e.getCode());
    }

    /** The newest warning about this pod. */
    Optional<String> warning(Pod pod) {
        return client
                .v1()
                .events()
                .inNamespace(namespace)
                .withField("involvedObject.uid", pod.getMetadata().getUid())
                .list()
                .getItems()
                .stream()
                .filter(e -> "Warning".equals(e.getType()) && e.getMessage() != null)
                .max(Comparator.comparing(e -> Objects.requireNonNullElse(e.getLastTimestamp(), "")))
                .map(Event::getMessage);
    }

    /** As it is now; a mirror may lag behind. */
    Optional<PersistentVolumeClaim> claim(String name) {
        return Optional.ofNullable(client.persistentVolumeClaims()
                .inNamespace(namespace)
                .withName(name)
                .get());
    }

    /** As it is now, also one that another owner made. */
    Optional<Pod> pod(String name) {
        return Optional.ofNullable(
                client.pods().inNamespace(namespace).withName(name).get());
    }

    Optional<StorageClass> storageClass(String name) {
        return Optional.ofNullable(
                client.storage().v1().storageClasses().withName(name).get());
    }

    List<String> storageClasses() {
        return client.storage().v1().storageClasses().list().getItems().stream()
                .map((StorageClass c) -> c.getMetadata().getName())
                .sorted()
                .toList();
    }

    PersistentVolumeClaim create(PersistentVolumeClaim claim) {
        return created(client.persistentVolumeClaims().inNamespace(namespace).resource(claim));
    }

    Secret create(Secret secret) {
        return created(client.secrets().inNamespace(namespace).resource(secret));
    }

    Pod create(Pod pod) {
        return created(client.pods().inNamespace(namespace).resource(pod));
    }

    private static <T extends HasMetadata> T created(Resource<T> resource) {
        try {
            return resource.create();
        } catch (KubernetesClientException e) {
            T there = e.getCode() == HttpURLConnection.HTTP_CONFLICT ? resource.get() : null;
            if (there == null) {
                throw e;
            }
            return there;
        }
    }

    /**
     * Empty if the notes changed since, so that this was decided on old ones. Kubernetes changes the rest of a claim
     * while it binds its volume, just when the first pod is launched.
     */
    Optional<PersistentVolumeClaim> patch(PersistentVolumeClaim claim, ClaimNotes notes) {
        Resource<PersistentVolumeClaim> resource =
                client.persistentVolumeClaims().inNamespace(namespace).resource(claim);
        @Nullable PersistentVolumeClaim now = claim;
        for (int i = 0; i < TRIES && now != null && hasSameNotes(now, claim); i++) {
            try {
                return Optional.of(resource.patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        notes.mergePatch(now.getMetadata().getResourceVersion())));
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
                now = resource.get();
            }
        }
        return Optional.empty();
    }

    Secret patch(Secret secret, Map<String, Object> change) {
        return client.secrets()
                .inNamespace(namespace)
                .resource(secret)
                .patch(PatchContext.of(PatchType.JSON_MERGE), Json.text(change));
    }

    private static boolean hasSameNotes(PersistentVolumeClaim a, PersistentVolumeClaim b) {
        return a.getMetadata().getUid().equals(b.getMetadata().getUid())
                && ClaimNotes.of(a).equals(ClaimNotes.of(b));
    }

    void delete(Pod pod) {
        deleteThis(client.pods().inNamespace(namespace).resource(pod), pod);
    }

    void delete(Secret secret) {
        deleteThis(client.secrets().inNamespace(namespace).resource(secret), secret);
    }

    void delete(PersistentVolumeClaim claim) {
        deleteThis(client.persistentVolumeClaims().inNamespace(namespace).resource(claim), claim);
    }

    Optional<PersistentVolume> volume(PersistentVolumeClaim claim) {
        String name = claim.getSpec().getVolumeName();
        return name == null || name.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(client.persistentVolumes().withName(name).get());
    }

    void noteEmptied(PersistentVolume volume, String claimUid) {
        patch(volume, Map.of("metadata", Map.of("annotations", Map.of(ObjectNames.EMPTIED, claimUid))));
    }

    /** In one step, so that a crash loses no volume. */
    void removeClaimRef(PersistentVolume volume) {
        ObjectNode change = Json.mapper().createObjectNode(); // maps lose their nulls
        ObjectNode metadata = change.putObject("metadata");
        metadata.put("resourceVersion", volume.getMetadata().getResourceVersion());
        metadata.putObject("annotations").putNull(ObjectNames.EMPTIED).putNull("pv.kubernetes.io/bound-by-controller");
        change.putObject("spec").putNull("claimRef");
        patch(volume, change);
    }

    private void patch(PersistentVolume volume, Object change) {
        var unused = client.persistentVolumes()
                .resource(volume)
                .patch(PatchContext.of(PatchType.JSON_MERGE), Json.text(change));
    }

    /** Deletes this object, and not another one that has its name by now. */
    private static <T extends HasMetadata> void deleteThis(Resource<T> resource, T object) {
        for (int i = 0; i < TRIES; i++) {
            T now = resource.get();
            if (now == null
                    || !now.getMetadata().getUid().equals(object.getMetadata().getUid())) {
                return;
            }
            try {
                resource.lockResourceVersion(now.getMetadata().getResourceVersion())
                        .delete();
                return;
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
            }
        }
        throw new KubernetesClientException(
                object.getKind() + " " + object.getMetadata().getName() + " changes all the time");
    }
}
