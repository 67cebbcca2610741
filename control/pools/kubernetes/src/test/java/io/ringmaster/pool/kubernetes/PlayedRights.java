package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A user with the rights that docs/kubernetes.md demands, and no others. */
final class PlayedRights {
    private static final String USER = "ringmaster";
    static final List<PolicyRule> CLUSTER = List.of(
            rule("", List.of("nodes", "pods", "persistentvolumes"), "get", "list", "watch"),
            rule("storage.k8s.io", List.of("storageclasses"), "get", "list"),
            rule("", List.of("persistentvolumes"), "patch"));
    static final List<PolicyRule> NAMESPACE = List.of(
            rule("", List.of("pods", "persistentvolumeclaims", "secrets"), "get", "list", "watch", "create", "delete"),
            rule("", List.of("persistentvolumeclaims", "secrets"), "patch"),
            rule("", List.of("configmaps"), "get", "create", "patch"),
            rule("policy", List.of("poddisruptionbudgets"), "list", "create", "update", "delete"));

    private final KubernetesClient client;
    private final String namespace;

    PlayedRights(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        client.serviceAccounts()
                .inNamespace(namespace)
                .resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName(USER)
                        .endMetadata()
                        .build())
                .create();
        client.rbac()
                .roles()
                .inNamespace(namespace)
                .resource(new RoleBuilder()
                        .withNewMetadata()
                        .withName(USER)
                        .endMetadata()
                        .withRules(NAMESPACE)
                        .build())
                .create();
        client.rbac()
                .clusterRoles()
                .resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .withRules(CLUSTER)
                        .build())
                .create();
        giveBack();
        giveBackCluster();
    }

    private static PolicyRule rule(String group, List<String> resources, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups(group)
                .withResources(resources)
                .withVerbs(verbs)
                .build();
    }

    /** Writes a kubeconfig of this user. */
    Path kubeconfig(Path folder) {
        String token = client.serviceAccounts()
                .inNamespace(namespace)
                .withName(USER)
                .tokenRequest()
                .getStatus()
                .getToken();
        String text =
                """
                apiVersion: v1
                kind: Config
                current-context: test
                clusters: [{name: real, cluster: {server: "%s", certificate-authority-data: "%s"}}]
                users: [{name: ringmaster, user: {token: "%s"}}]
                contexts: [{name: test, context: {cluster: real, user: ringmaster}}]
                """;
        try {
            return Files.writeString(
                    folder.resolve("kubeconfig"),
                    text.formatted(
                            client.getConfiguration().getMasterUrl(),
                            client.getConfiguration().getCaCertData(),
                            token));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those in the namespace. */
    void takeAway() {
        var unused = client.resource(binding()).inNamespace(namespace).delete();
    }

    void giveBack() {
        client.resource(binding()).inNamespace(namespace).create();
    }

    /** Those that hold everywhere. */
    void takeAwayCluster() {
        var unused = client.resource(clusterBinding()).delete();
    }

    void giveBackCluster() {
        client.resource(clusterBinding()).create();
    }

    private ClusterRoleBinding clusterBinding() {
        return new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .addNewSubject("", "ServiceAccount", USER, namespace)
                .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", namespace)
                .build();
    }

    private RoleBinding binding() {
        return new RoleBindingBuilder()
                .withNewMetadata()
                .withName(USER)
                .endMetadata()
                .addNewSubject("", "ServiceAccount", USER, namespace)
                .withNewRoleRef("rbac.authorization.k8s.io", "Role", USER)
                .build();
    }
}
