package io.ringmaster.pool.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.spec.SecretKeyRef;
import io.ringmaster.pool.kubernetes.command.PlayedObject;
import io.ringmaster.pool.kubernetes.objects.TokenSecret;
import io.ringmaster.ports.UnreadableSecretException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords in a Secret of a played API server. */
class PasswordSecretsTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final SecretKeyRef LOGIN = new SecretKeyRef("app-login", "password");
    private static final Map<String, String> ALLOWED = Map.of("ringmaster.io/cluster", "rides");
    private static final String LABEL = "kubectl label secret app-login -n rides-dc1 ringmaster.io/cluster=rides";
    /** 36 bytes. */
    private static final String HALF = "s3cret-s3cret-s3cret-s3cret-s3cret-x";

    private static final String PATCH =
            "kubectl create secret generic app-login -n rides-dc1 --from-file=password=FILE --dry-run=client -o yaml"
                    + " | kubectl patch secret app-login -n rides-dc1 --patch-file /dev/stdin";

    private final PlayedObject kubernetes;
    private final KubernetesClient client;
    private final PasswordSecrets secrets;

    PasswordSecretsTest() throws IOException {
        kubernetes = new PlayedObject("secrets");
        client = kubernetes.client();
        secrets = new PasswordSecrets(client, Samples.SETTINGS.namespace());
    }

    @AfterEach
    void close() {
        client.close();
        kubernetes.close();
    }

    private static Secret secret(Map<String, String> labels, String key, byte[] value) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName("app-login")
                .withLabels(labels)
                .endMetadata()
                .addToData(key, Base64.getEncoder().encodeToString(value))
                .build();
    }

    private static Secret secret(String value) {
        return secret(ALLOWED, "password", value.getBytes(StandardCharsets.UTF_8));
    }

    private String refusal() {
        return String.valueOf(catchThrowableOfType(UnreadableSecretException.class, () -> secrets.read(RIDES, LOGIN))
                .getMessage());
    }

    @Test
    void a_password_is_read_without_the_line_end_that_an_editor_adds() throws UnreadableSecretException {
        kubernetes.put(secret("s3cret of äpp\n"));
        assertThat(secrets.read(RIDES, LOGIN).reveal()).isEqualTo("s3cret of äpp");
    }

    @Test
    void a_missing_Secret_is_named_with_the_commands_that_make_it() {
        assertThat(refusal())
                .isEqualTo("there is no Secret 'app-login' in namespace 'rides-dc1' -> kubectl create secret generic"
                        + " app-login -n rides-dc1 --from-file=password=FILE && " + LABEL);
    }

    @Test
    void a_Secret_without_the_label_or_of_another_cluster_is_refused() {
        for (Map<String, String> labels : List.of(Map.<String, String>of(), Map.of("ringmaster.io/cluster", "food"))) {
            kubernetes.put(secret(labels, "password", "s3cret".getBytes(StandardCharsets.UTF_8)));
            assertThat(refusal())
                    .contains("'app-login'", "not allowed for cluster rides", LABEL)
                    .doesNotContain("s3cret", "food");
        }
    }

    @Test
    void the_token_of_a_node_is_no_password() {
        kubernetes.put(TokenSecret.secret(Samples.claim()));
        assertThat(refusal()).contains("belongs to a node");
    }

    @Test
    void a_missing_key_is_named_with_those_that_are_there() {
        kubernetes.put(secret(ALLOWED, "pass", "s3cret".getBytes(StandardCharsets.UTF_8)));
        assertThat(refusal())
                .contains("Secret 'app-login'", "no key 'password'; it has pass", PATCH)
                .doesNotContain("s3cret");
        kubernetes.put(new SecretBuilder(secret("s3cret")).withData(null).build());
        assertThat(refusal()).contains("no key 'password'; it has none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "s3cret\nof two lines", HALF + HALF + "x"})
    void a_value_that_can_be_no_password_is_refused_and_not_repeated(String value) {
        kubernetes.put(secret(value));
        assertThat(refusal())
                .contains("key 'password' of Secret 'app-login'", "1 to 72 bytes in one line", PATCH)
                .doesNotContain("s3cret");
    }

    @Test
    void bytes_that_are_no_text_are_refused_rather_than_replaced() {
        kubernetes.put(secret(ALLOWED, "password", new byte[] {'a', (byte) 0xff, 'b'}));
        assertThat(refusal()).contains("'app-login'", "not a text in UTF-8");
    }

    @Test
    void a_missing_right_and_an_API_server_that_is_gone_are_named() {
        kubernetes.refuse(403);
        assertThat(refusal())
                .contains("Secret 'app-login' in namespace 'rides-dc1' cannot be read: Kubernetes answers 403")
                .contains("right to get secrets: docs/kubernetes.md");
        kubernetes.close();
        assertThat(refusal()).contains("'app-login'", "does not answer").doesNotContain("right to get");
    }
}
