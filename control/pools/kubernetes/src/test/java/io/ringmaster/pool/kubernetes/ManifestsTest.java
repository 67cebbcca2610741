package io.ringmaster.pool.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The files in deploy/kubernetes fit the pods that the pool makes, and the rights that it is tested with. */
class ManifestsTest {
    private static final Path FOLDER = Path.of("../../../deploy/kubernetes");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private final List<HasMetadata> objects = new ArrayList<>();
    private final Map<String, String> node = Samples.pod().getMetadata().getLabels();
    private final Map<String, String> server;

    ManifestsTest() throws IOException {
        for (String file : List.of("ringmaster.yaml", "retain.yaml")) {
            Arrays.stream(Files.readString(FOLDER.resolve(file)).split("(?m)^---$"))
                    .filter(part -> part.contains("\nkind: "))
                    .<HasMetadata>map(YAML::unmarshal)
                    .forEach(objects::add);
        }
        server = all(StatefulSet.class)
                .get(0)
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getLabels();
    }

    private <T> List<T> all(Class<T> type) {
        return objects.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static boolean selects(LabelSelector selector, Map<String, String> labels) {
        assertThat(selector.getMatchExpressions()).isEmpty();
        return labels.entrySet().containsAll(selector.getMatchLabels().entrySet());
    }

    /** The ports of such a pod to which the policies admit such a peer. */
    private Set<Integer> admitted(Map<String, String> to, Predicate<NetworkPolicyPeer> from) {
        Set<Integer> ports = new TreeSet<>();
        for (NetworkPolicy policy : all(NetworkPolicy.class)) {
            if (selects(policy.getSpec().getPodSelector(), to)) {
                for (NetworkPolicyIngressRule rule : policy.getSpec().getIngress()) {
                    assertThat(rule.getFrom())
                            .as("without it everybody is admitted")
                            .isNotEmpty();
                    assertThat(rule.getPorts()).as("without them all are open").isNotEmpty();
                    if (rule.getFrom().stream().anyMatch(from)) {
                        rule.getPorts().forEach(p -> ports.add(p.getPort().getIntVal()));
                    }
                }
            }
        }
        return ports;
    }

    private static Predicate<NetworkPolicyPeer> pod(Map<String, String> labels) {
        return peer -> peer.getNamespaceSelector() == null
                && peer.getPodSelector() != null
                && selects(peer.getPodSelector(), labels);
    }

    private static Predicate<NetworkPolicyPeer> namespace(String label) {
        return peer -> peer.getNamespaceSelector() != null
                && peer.getPodSelector() == null
                && selects(peer.getNamespaceSelector(), Map.of(label, "allowed"));
    }

    @Test
    void the_network_policies_admit_to_each_port_of_a_node_those_who_need_it_and_nobody_else() {
        var ports = Samples.ALLOCATION.ports();
        assertThat(admitted(node, pod(node))).containsExactly(ports.storage(), ports.sslStorage());
        assertThat(admitted(node, pod(server))).containsExactlyInAnyOrder(ports.nativeTransport(), ports.executor());
        assertThat(admitted(node, namespace("ringmaster.io/cql"))).containsExactly(ports.nativeTransport());
        assertThat(admitted(node, namespace("ringmaster.io/api"))).isEmpty();
        assertThat(admitted(node, pod(Map.of()))).isEmpty();
        assertThat(openPorts(Samples.pod())).isSubsetOf(ports.all());
    }

    private static List<Integer> openPorts(Pod pod) {
        return pod.getSpec().getContainers().get(0).getPorts().stream()
                .map(ContainerPort::getContainerPort)
                .toList();
    }

    @Test
    void the_network_policies_admit_nodes_and_programs_to_the_server() {
        int api = all(StatefulSet.class)
                .get(0)
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .get(0)
                .getPorts()
                .get(0)
                .getContainerPort();
        assertThat(admitted(server, pod(node))).containsExactly(api);
        assertThat(admitted(server, namespace("ringmaster.io/api"))).containsExactly(api);
        assertThat(admitted(server, namespace("ringmaster.io/cql"))).isEmpty();
        assertThat(admitted(server, pod(Map.of()))).isEmpty();
    }

    /** A line for each verb on each kind. */
    private static Set<String> rights(List<PolicyRule> rules) {
        Set<String> rights = new TreeSet<>();
        for (PolicyRule rule : rules) {
            for (String resource : rule.getResources()) {
                rule.getVerbs().forEach(verb -> rights.add(verb + " " + resource + " of " + rule.getApiGroups()));
            }
        }
        return rights;
    }

    @Test
    void the_roles_give_the_rights_that_the_pool_is_tested_with() {
        Set<String> namespace = rights(all(Role.class).stream()
                .flatMap(role -> role.getRules().stream())
                .toList());
        assertThat(namespace.remove("list events of []")).as("optional").isTrue();
        assertThat(namespace).isEqualTo(rights(PlayedRights.NAMESPACE));
        Set<String> cluster = rights(all(ClusterRole.class).stream()
                .flatMap(role -> role.getRules().stream())
                .toList());
        assertThat(cluster).isEqualTo(rights(PlayedRights.CLUSTER));
    }
}
