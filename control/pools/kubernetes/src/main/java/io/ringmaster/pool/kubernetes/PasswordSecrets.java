package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.model.access.PasswordRule;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.spec.SecretKeyRef;
import io.ringmaster.pool.kubernetes.command.ApiCalls;
import io.ringmaster.pool.kubernetes.objects.ObjectNames;
import io.ringmaster.ports.SecretReader;
import io.ringmaster.ports.UnreadableSecretException;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Reads passwords out of Secrets in the namespace of the pool. People allow one for a cluster by the label that the
 * pool's own objects of that cluster have.
 */
final class PasswordSecrets implements SecretReader {
    private final KubernetesClient client;
    private final String namespace;

    PasswordSecrets(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    @Override
    public io.ringmaster.model.access.Secret read(ClusterName cluster, SecretKeyRef ref)
            throws UnreadableSecretException {
        Secret secret = existing(cluster, ref);
        requireAllowed(cluster, secret);
        Map<String, String> data = Objects.requireNonNullElse(secret.getData(), Map.of());
        String encoded = data.get(ref.key());
        if (encoded == null) {
            throw new UnreadableSecretException(named(ref.name()) + " has no key '" + ref.key() + "'; it has "
                    + (data.isEmpty() ? "none" : String.join(", ", new TreeSet<>(data.keySet()))) + replacing(ref));
        }
        String password = text(ref, encoded).strip();
        Optional<String> violation = PasswordRule.violation(password);
        if (violation.isPresent()) {
            throw new UnreadableSecretException(keyed(ref) + " " + violation.get() + replacing(ref));
        }
        return new io.ringmaster.model.access.Secret(password);
    }

    private Secret existing(ClusterName cluster, SecretKeyRef ref) throws UnreadableSecretException {
        Secret secret;
        try {
            secret =
                    client.secrets().inNamespace(namespace).withName(ref.name()).get();
        } catch (KubernetesClientException e) {
            boolean forbidden = e.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
            throw new UnreadableSecretException(named(ref.name()) + " cannot be read: " + ApiCalls.reason(e)
                    + (forbidden ? " -> give the server the right to get secrets: docs/kubernetes.md" : ""));
        }
        if (secret == null) {
            throw new UnreadableSecretException(
                    "there is no " + named(ref.name()) + " -> kubectl create secret generic "
                            + ref.name() + " -n " + namespace + " --from-file=" + ref.key() + "=FILE && "
                            + labelling(cluster, ref.name()));
        }
        return secret;
    }

    private void requireAllowed(ClusterName cluster, Secret secret) throws UnreadableSecretException {
        String name = secret.getMetadata().getName();
        Map<String, String> labels =
                Objects.requireNonNullElse(secret.getMetadata().getLabels(), Map.of());
        if (ObjectNames.RINGMASTER.equals(labels.get(ObjectNames.MANAGED_BY))) {
            throw new UnreadableSecretException(
                    named(name) + " belongs to a node, and holds no password of a role -> name another Secret");
        }
        if (!cluster.value().equals(labels.get(ObjectNames.CLUSTER))) {
            throw new UnreadableSecretException(named(name) + " is not allowed for cluster " + cluster
                    + ": it lacks the label " + ObjectNames.CLUSTER + "=" + cluster + " -> "
                    + labelling(cluster, name));
        }
    }

    private String text(SecretKeyRef ref, String encoded) throws UnreadableSecretException {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(encoded));
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException e) {
            throw new UnreadableSecretException(keyed(ref) + " is not a text in UTF-8" + replacing(ref));
        }
    }

    private String named(String name) {
        return "Secret '" + name + "' in namespace '" + namespace + "'";
    }

    private String keyed(SecretKeyRef ref) {
        return "key '" + ref.key() + "' of " + named(ref.name());
    }

    private String labelling(ClusterName cluster, String name) {
        return "kubectl label secret " + name + " -n " + namespace + " " + ObjectNames.CLUSTER + "=" + cluster;
    }

    private String replacing(SecretKeyRef ref) {
        return " -> kubectl create secret generic " + ref.name() + " -n " + namespace + " --from-file=" + ref.key()
                + "=FILE --dry-run=client -o yaml | kubectl patch secret " + ref.name() + " -n " + namespace
                + " --patch-file /dev/stdin";
    }
}
