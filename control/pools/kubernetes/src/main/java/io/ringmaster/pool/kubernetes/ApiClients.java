package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import java.nio.file.Files;
import java.nio.file.Path;

/** Clients of the API server. */
final class ApiClients {
    private static final int TIMEOUT_MS = 10_000;

    private ApiClients() {}

    /** @throws IllegalArgumentException the kubeconfig or its context cannot be used; the message names the field */
    static KubernetesClient open(KubernetesPoolSettings settings) {
        Config config = new ConfigBuilder(config(settings))
                // a call that fails is decided on again; informers have their own retries
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(TIMEOUT_MS)
                .withConnectionTimeout(TIMEOUT_MS)
                .withUserAgent("ringmaster")
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static Config config(KubernetesPoolSettings settings) {
        Path file = settings.kubeconfig();
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("pool.kubernetes.kubeconfig: " + file + " is not a readable file");
        }
        try {
            Config config = Config.fromKubeconfig(settings.context(), file.toFile());
            if (settings.context() != null
                    && (config.getCurrentContext() == null
                            || !settings.context()
                                    .equals(config.getCurrentContext().getName()))) {
                throw new IllegalArgumentException(
                        "pool.kubernetes.context: " + file + " has no context '" + settings.context() + "'");
            }
            return config;
        } catch (KubernetesClientException e) {
            throw new IllegalArgumentException(
                    "pool.kubernetes.kubeconfig: " + file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
