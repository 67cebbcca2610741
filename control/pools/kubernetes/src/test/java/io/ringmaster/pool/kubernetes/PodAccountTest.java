package io.ringmaster.pool.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodAccountTest {
    private static final Map<String, String> VARIABLES =
            Map.of("KUBERNETES_SERVICE_HOST", "10.78.0.1", "KUBERNETES_SERVICE_PORT", "443");

    @TempDir
    Path folder;

    @BeforeEach
    void mount() throws Exception {
        Files.writeString(folder.resolve("token"), "first\n");
        Path trusted = Path.of(System.getProperty("java.home"), "lib", "security", "cacerts");
        KeyStore store = KeyStore.getInstance(trusted.toFile(), "changeit".toCharArray());
        Certificate any = store.getCertificate(store.aliases().nextElement());
        String base64 = Base64.getMimeEncoder().encodeToString(any.getEncoded());
        Files.writeString(
                folder.resolve("ca.crt"), "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n");
    }

    @Test
    void the_API_server_is_the_one_that_the_environment_names() {
        assertThat(new PodAccount(VARIABLES, folder).config().getMasterUrl()).isEqualTo("https://10.78.0.1:443/");
        Map<String, String> six = new HashMap<>(VARIABLES);
        six.put("KUBERNETES_SERVICE_HOST", "fd00::1");
        assertThat(new PodAccount(six, folder).config().getMasterUrl()).isEqualTo("https://[fd00::1]:443/");
    }

    @Test
    void each_request_has_the_present_token_of_the_pod() throws IOException {
        List<String> tokens = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] answer = "{\"kind\":\"Namespace\",\"apiVersion\":\"v1\"}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        String played = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        try (KubernetesClient client = ApiClients.open(new ConfigBuilder(new PodAccount(VARIABLES, folder).config())
                .withMasterUrl(played)
                .build())) {
            client.namespaces().withName("rides").get();
            Files.writeString(folder.resolve("token"), "second\n");
            client.namespaces().withName("rides").get();
        } finally {
            server.stop(0);
        }
        assertThat(tokens).containsExactly("Bearer first", "Bearer second");
    }

    @Test
    void outside_of_a_pod_the_field_that_is_missing_is_named() throws IOException {
        assertMissing(
                new PodAccount(Map.of(), folder), "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
        Files.delete(folder.resolve("token"));
        assertMissing(new PodAccount(VARIABLES, folder), folder.resolve("token") + " is not a readable file");
    }

    private static void assertMissing(PodAccount account, String what) {
        assertThatThrownBy(account::config)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pool.kubernetes.kubeconfig: missing, and the server does not run in a pod with a service"
                        + " account: " + what);
    }
}
