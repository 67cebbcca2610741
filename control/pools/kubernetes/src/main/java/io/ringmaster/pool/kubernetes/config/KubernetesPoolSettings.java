package io.ringmaster.pool.kubernetes.config;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.pool.base.Doors;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code pool.kubernetes} of a server's configuration.
 *
 * @param kubeconfig the file that says where the API server is, and who the server is there; null for what Kubernetes
 *     gives to the pod that the server runs in
 * @param context of the kubeconfig; null for its current one
 * @param namespace of all objects of this pool, which no other pool may share
 * @param machines the labels of the Nodes that are the machines; none for all Nodes
 * @param rackLabel the label of a Node that names its rack
 * @param image of the pods; {@code {cassandra}} in it stands for the version
 * @param imagePullPolicy of Kubernetes; null for its default
 * @param storageClass of the volumes
 * @param locationsSecret the Secret with the locations of backups, which pods mount; null for none
 * @param diskBytes of each machine; null to sum up its volumes of the class, or else its own disk
 * @param doors of its executors, for TLS
 */
public record KubernetesPoolSettings(
        DatacenterName datacenter,
        @Nullable Path kubeconfig,
        @Nullable String context,
        String namespace,
        Map<String, String> machines,
        String rackLabel,
        String image,
        @Nullable String imagePullPolicy,
        String storageClass,
        @Nullable String locationsSecret,
        @Nullable Long diskBytes,
        Doors doors) {
    /** In an image name, the place of Cassandra's version. */
    public static final String VERSION = "{cassandra}";

    public static final String SECTION = "pool.kubernetes";

    public KubernetesPoolSettings {
        machines = Map.copyOf(machines);
    }

    public String image(String cassandraVersion) {
        return image.replace(VERSION, cassandraVersion);
    }
}
