package io.ringmaster.pool.kubernetes.command;

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
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calls that change objects. They block for some seconds at most, and throw {@link KubernetesClientException}. What
 * is there already is as good as created, and what is gone already as good as deleted.
 */
public final class ApiCalls {
    private static final int TRIES = 5;

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
            return "Kubernetes answers " + e.getCode() + ": " + Objects.requireNonNullElse(message, e.getMessage());
        }
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return "the API server of Kubernetes does not answer: "
                + Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    }

    /** Whether the API server refused the request, so that the same one is refused again. */
    static boolean isRefused(KubernetesClientException e) {
        return e.getCode() >= 400 && e.getCode() < 500 && e.getCode() != 429;
    }

    boolean hasStorageClass(String name) {
        return client.storage().v1().storageClasses().withName(name).get() != null;
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

    void delete(PersistentVolume volume) {
        deleteThis(client.persistentVolumes().resource(volume), volume);
    }

    void create(PersistentVolume volume) {
        created(client.persistentVolumes().resource(volume));
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
