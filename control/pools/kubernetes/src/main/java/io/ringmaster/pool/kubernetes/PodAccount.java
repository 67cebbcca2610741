package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What Kubernetes gives to every pod that has a service account: the address of the API server, its certificate
 * authority, and a token.
 *
 * @param variables of the environment
 * @param folder where the service account is mounted
 */
record PodAccount(Map<String, String> variables, Path folder) {
    private static final String HOST = "KUBERNETES_SERVICE_HOST";
    private static final String PORT = "KUBERNETES_SERVICE_PORT";

    PodAccount {
        variables = Map.copyOf(variables);
    }

    /** Of the pod that this process runs in. */
    static PodAccount ofThisPod() {
        return new PodAccount(System.getenv(), Path.of("/var/run/secrets/kubernetes.io/serviceaccount"));
    }

    /** @throws IllegalArgumentException this is no such pod; the message names the field that it can do without */
    Config config() {
        String host = variables.getOrDefault(HOST, "");
        String port = variables.getOrDefault(PORT, "");
        Path token = folder.resolve("token");
        Path authority = folder.resolve("ca.crt");
        if (host.isEmpty() || port.isEmpty()) {
            throw missing(HOST + " and " + PORT + " are not set");
        }
        for (Path file : new Path[] {token, authority}) {
            if (!Files.isReadable(file)) {
                throw missing(file + " is not a readable file");
            }
        }
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + "/")
                .withCaCertFile(authority.toString())
                // Kubernetes replaces the token before it expires, so that each request reads it
                .withOauthTokenProvider(() -> read(token))
                .build();
    }

    private static IllegalArgumentException missing(String what) {
        return new IllegalArgumentException("pool.kubernetes.kubeconfig: missing, and the server does not run in a pod"
                + " with a service account: " + what);
    }

    private static String read(Path token) {
        try {
            return Files.readString(token).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
