package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Clients of the API server. */
final class ApiClients {
    private static final int TIMEOUT_MS = 10_000;

    private ApiClients() {}

    /**
     * @throws IllegalArgumentException kubeconfig, context or service account cannot be used; the message names the
     *     field
     */
    static KubernetesClient open(KubernetesPoolSettings settings) {
        Path kubeconfig = settings.kubeconfig();
        return open(kubeconfig == null ? PodAccount.ofThisPod().config() : config(kubeconfig, settings.context()));
    }

    static KubernetesClient open(Config access) {
        Config config = new ConfigBuilder(access)
                // a call that fails is decided on again; informers have their own retries
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(TIMEOUT_MS)
                .withConnectionTimeout(TIMEOUT_MS)
                .withUserAgent("ringmaster")
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static Config config(Path file, @Nullable String context) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("pool.kubernetes.kubeconfig: " + file + " is not a readable file");
        }
        try {
            Config config = Config.fromKubeconfig(context, file.toFile());
            if (context != null
                    && (config.getCurrentContext() == null
                            || !context.equals(config.getCurrentContext().getName()))) {
                throw new IllegalArgumentException(
                        "pool.kubernetes.context: " + file + " has no context '" + context + "'");
            }
            return config;
        } catch (KubernetesClientException e) {
            throw new IllegalArgumentException(
                    "pool.kubernetes.kubeconfig: " + file + " cannot be read: " + ThrowableText.of(e), e);
        }
    }
}
