package io.ringmaster.pool.kubernetes;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.pool.base.Doors;
import io.ringmaster.pool.kubernetes.config.KubernetesPoolSettings;
import io.ringmaster.ports.SampleRecords;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A real control plane with played kubelets, and what a pool on it needs. */
final class PlayedMachines implements AutoCloseable {
    private static final long LIMIT_S = 60;

    final ControlPlane controlPlane = ControlPlane.up();
    final KubernetesClient client = controlPlane.client();
    final PlayedKubelet kubelet = new PlayedKubelet(client);
    private int namespaces;

    PlayedMachines() {
        client.nodes()
                .withName("n1")
                .waitUntilCondition(
                        node -> node != null && node.getSpec().getTaints().isEmpty(), LIMIT_S, TimeUnit.SECONDS);
    }

    /** Creates one in which pods can be created. */
    String namespace() {
        String name = "test-" + ++namespaces;
        client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        client.serviceAccounts()
                .inNamespace(name)
                .withName("default")
                .waitUntilCondition(account -> account != null, LIMIT_S, TimeUnit.SECONDS);
        return name;
    }

    KubernetesPool pool(String namespace) {
        return pool(namespace, controlPlane.kubeconfig());
    }

    KubernetesPool pool(String namespace, Doors doors) {
        return new KubernetesPool(settings(namespace, controlPlane.kubeconfig(), doors));
    }

    static KubernetesPool pool(String namespace, Path kubeconfig) {
        return new KubernetesPool(settings(namespace, kubeconfig));
    }

    static KubernetesPoolSettings settings(String namespace, Path kubeconfig) {
        return settings(namespace, kubeconfig, Samples.PLAIN);
    }

    private static KubernetesPoolSettings settings(String namespace, Path kubeconfig, Doors doors) {
        KubernetesPoolSettings s = Samples.SETTINGS;
        return new KubernetesPoolSettings(
                s.datacenter(),
                kubeconfig,
                null,
                namespace,
                Map.of(),
                s.rackLabel(),
                s.image(),
                s.imagePullPolicy(),
                PlayedVolumes.STORAGE_CLASS,
                null,
                null,
                doors);
    }

    /** On the machine n1, where several fit. */
    static Allocation allocation(int index) {
        return new Allocation(
                new AllocationId("rides-dc1-node-" + index),
                new NodeId(SampleRecords.RIDES, SampleRecords.DC1, index),
                new MachineName("n1"),
                Samples.ALLOCATION.ports(),
                SampleRecords.RESOURCES);
    }

    @Override
    public void close() {
        kubelet.close();
        client.close();
        controlPlane.close();
    }
}
